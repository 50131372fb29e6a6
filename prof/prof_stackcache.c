/*
 * stack: the entry that was found last with a pc and a frame pointer, struct prof_stack_recent.
 * Most ticks still have that entry's path, and only compare each frame with a word of it:
 *
 *	           pc      pc
 *	           |       |  the system call's
 *	stack      * -> frame -> frame -> frame | pc -> frame -> frame -> 0
 *	           |      |        |        |     |       |        |
 *	entry ... [pc]  [ret]    [ret]    [ret] [pc]    [ret]    [ret]  [NOWHERE] next entry ...
 *	           ^r->pc                       ^r->program              ^r->end
 *
 *	           '-- the kernel's part -----' '-- the program's ----'
 *
 * The kernel's part is compared each time. r->left is how far below the stack's end its last frame
 * was, so that a path which goes on further is not taken for it. The program's part cannot change
 * while the process is in the same system call, r->entered, and else is compared as well.
 *
 * Frames are compared in groups, and only after a group comes the question whether that was all. So
 * up to a group of words after the part is read: they are the rest of the entry and the beginning
 * of the next, or of the room for the longest one that prof_stack.c leaves after each. A frame that
 * equals one of them is found out by its place, which is not where the part ends.
 */
#include "prof/prof_stackwalk.h"

#define GROUP 8u /* frames */

/* Return whether the recent entry has that name and is of that kind. One that was cut is not. */
static inline bool stackcache_same_kind(const struct prof_sample *s,
					const struct prof_stack_recent *r, enum prof_cause what)
{
	if (s->named != r->named)
		return false;
	return r->entry[PROF_STACK_SHAPE] >> PROF_STACK_CAUSE == (prof_addr)what;
}

/*
 * Compare where a part begins, and return where it goes on in the entry; NULL: the path differs.
 */
static inline __attribute__((always_inline)) const prof_addr *
stackcache_same_place(const prof_addr *at, const struct prof_stack_place *place)
{
	if (*at++ != place->pc)
		return NULL;
	if (place->ret && *at++ != place->ret)
		return NULL;
	return at;
}

/*
 * Compare frames with an entry's addresses from at to end, as prof_stack_add() would add them.
 * Return the offset of the first frame that differs, and set *stop to what it differs from; that is
 * beyond end if there were more frames than addresses.
 */
static inline prof_addr stackcache_compare(const struct prof_stack_window *v, prof_addr off,
					   const prof_addr *at, const prof_addr *end,
					   const prof_addr **stop)
{
	do {
#pragma GCC unroll 8
		for (unsigned i = 0; i < GROUP; i++) {
			if (off > v->span || prof_stack_ret_at(v, off) != at[i]) {
				*stop = at + i;
				return off;
			}
			__asm__("" : "+r"(off)); /* one address for both uses */
			off = prof_stack_frame_at(v, off)->next - v->lo;
		}
		at += GROUP;
	} while (at <= end);
	*stop = at;
	return off;
}

/*
 * Return whether the rest of the recent entry's path is the program's from there on, and note in
 * which system call that was found. As prof_stack_add() does, each page of the program's stack is
 * looked up anew.
 */
static __attribute__((noinline)) bool stackcache_same_program(const struct prof_sample *s,
							      struct prof_stack_recent *r,
							      const struct prof_stack_place *from)
{
	const prof_addr *at = r->program;
	prof_addr fp = from->fp, off;
	struct prof_stack_window v;

	if (!stackcache_same_kind(s, r, s->what))
		return false;
	at = stackcache_same_place(at, from);
	if (!at)
		return false;
	do {
		if (!prof_stack_user(&v, fp))
			break;
		off = stackcache_compare(&v, fp - v.lo, at, r->end, &at);
		if (off <= v.span && prof_stack_ret_at(&v, off) != 0)
			return false;
		fp = off + v.lo;
	} while (off > v.span && fp > v.lo && at <= r->end);
	if (at != r->end)
		return false;
	r->entered = s->entered;
	r->pid = s->pid;
	return true;
}

/* The path is the recent entry's up to that frame: return whether the rest is, too. */
static inline __attribute__((always_inline)) bool
stackcache_same_rest(const struct prof_sample *s, struct prof_stack_recent *r,
		     const struct prof_stack_window *v, prof_addr off)
{
	struct prof_stack_place place;
	enum prof_stack_trap trap = prof_stack_came_from(v, off, &place);

	if (__builtin_expect(trap == PROF_STACK_AT_USER, 1))
		return stackcache_same_program(s, r, &place);
	if (trap == PROF_STACK_AT_INTERRUPT)
		return stackcache_same_kind(s, r, PROF_INTERRUPT);
	if (trap == PROF_STACK_AT_KERNEL)
		return false;
	return r->program == r->end && stackcache_same_kind(s, r, s->what);
}

/* Return whether the path is the recent entry's. One with a fault in the kernel equals none. */
static inline __attribute__((always_inline)) bool
stackcache_same(const struct prof_stacks *k, const struct prof_sample *s,
		struct prof_stack_recent *r)
{
	struct prof_stack_window v;

	if (s->what == PROF_USER)
		return stackcache_same_program(s, r, &s->at);
	const prof_addr *at = stackcache_same_place(r->pc, &s->at);
	if (!at)
		return false;
	prof_stack_kernel(&v, s, k->trap);
	prof_addr off = stackcache_compare(&v, s->at.fp - v.lo, at, r->program, &at);
	if (v.span - off != r->left || at != r->program)
		return false;
	if (r->entered == s->entered && r->pid == s->pid)
		return true;
	return stackcache_same_rest(s, r, &v, off);
}

prof_addr *prof_stackcache_find(struct prof_stacks *k, const struct prof_sample *s)
{
	uint32_t hash = (uint32_t)(s->at.pc ^ s->at.fp << 9) * 0x9e3779b1u;
	struct prof_stack_recent *r =
		&k->cpu[s->cpu].recent[hash >> (32 - PROF_STACK_LOG2_RECENT)];

	if (!stackcache_same(k, s, r))
		prof_stack_add(k, s, r);
	return r->entry;
}
