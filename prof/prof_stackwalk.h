/*
 * How stacks are followed by frame pointers: what prof_stack.c, which writes paths down, shares
 * with prof_stackcache.c, which compares them.
 */
#pragma once

#include "prof/arch/prof_arch.h"
#include "prof/prof_hooks.h"
#include "prof/prof_stacktable.h"

/* A frame as the compiler makes it: the caller's, and where its callee returns to. */
struct prof_stack_frame {
	prof_addr next, ret;
} __attribute__((packed, may_alias));

/*
 * A part of a stack. Frame pointers less lo are offsets of frames in mem, and up to span there is
 * room for one.
 */
struct prof_stack_window {
	const uint8_t *mem;
	prof_addr lo, span;
	prof_addr stop; /* a return address that ends it, as 0 does anywhere */
};

static inline const struct prof_stack_frame *prof_stack_frame_at(const struct prof_stack_window *v,
								 prof_addr off)
{
	return (const struct prof_stack_frame *)(const void *)(v->mem + off);
}

static inline prof_addr prof_stack_ret_at(const struct prof_stack_window *v, prof_addr off)
{
	return prof_arch_strip(prof_stack_frame_at(v, off)->ret);
}

/* Return the offset of the frame of the caller of the one that has the frame at off. */
static inline prof_addr prof_stack_caller(const struct prof_stack_window *v, prof_addr off)
{
	return prof_stack_frame_at(v, off)->next - v->lo;
}

#define PROF_STACK_LONGEST ((prof_addr)-1 / 2) /* bytes; with less than a frame, span is more */

/*
 * Make *v the part of the kernel's stack that is in use. If that has no room for a frame, it begins
 * past the frame pointer, which then leads nowhere.
 */
static inline void prof_stack_kernel(struct prof_stack_window *v, const struct prof_sample *s,
				     prof_addr trap)
{
	v->span = s->hi - s->lo - sizeof(struct prof_stack_frame);
	v->mem = (const uint8_t *)s->stack;
	v->lo = s->lo + PROF_FRAME_BELOW;
	v->stop = trap;
	if (__builtin_expect(v->span > PROF_STACK_LONGEST, 0)) {
		v->lo = s->at.fp + 1;
		v->span = 0;
	}
}

/* Make *v the page of the program's stack that has that frame; false: it cannot be read. */
static inline bool prof_stack_user(struct prof_stack_window *v, prof_addr fp)
{
	prof_addr page = (fp - PROF_FRAME_BELOW) & ~(prof_addr)(PROF_STACK_PAGE - 1);

	v->lo = page + PROF_FRAME_BELOW;
	v->span = PROF_STACK_PAGE - sizeof(struct prof_stack_frame);
	v->stop = 0;
	if (fp & (sizeof(fp) - 1) || fp - v->lo > v->span)
		return false;
	v->mem = (const uint8_t *)prof_hook_user(page);
	return v->mem;
}

/*
 * Return what the kernel's frame at that offset was called from: KERNEL is also another function of
 * it, in which case *at is left alone.
 */
static inline __attribute__((always_inline)) enum prof_stack_trap
prof_stack_came_from(const struct prof_stack_window *v, prof_addr off, struct prof_stack_place *at)
{
	if (off > v->span)
		return PROF_STACK_AT_NOTHING;
	if (prof_stack_ret_at(v, off) == v->stop)
		return prof_hook_trap(prof_stack_frame_at(v, off),
				      v->span + sizeof(struct prof_stack_frame) - off, at);
	if (prof_stack_ret_at(v, off) == 0)
		return PROF_STACK_AT_NOTHING;
	return PROF_STACK_AT_KERNEL;
}
