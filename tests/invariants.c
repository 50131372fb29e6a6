/*
 * What must hold of the kernel's memory and processes, for the test device of the checking kernel,
 * which looks while nothing else runs: on one CPU, with interrupts off. Panics name what does not.
 */
#include "tests/invariants.h"
#include "kernel/frame.h"
#include "kernel/memory.h"
#include "kernel/print.h"
#include "kernel/proc.h"

#define MAXORDER 11 /* frame.c's */

size_t invariants_frames(void)
{
	size_t n = 0;

	for (uint32_t f = 0; f < nframe; f++)
		n += frames[f].kind == FRAME_LARGE ||
		     (frames[f].kind == FRAME_USED && frames[f].ref);
	return n;
}

/* Panic, for the descriptor of frame f is not what it should be. */
static void wrong_frame(uint32_t f, const char *what)
{
	panic("frame %x: %s", f * PAGE, what);
}

/* Look at the free block that begins with frame f; return how many frames it has. */
static uint32_t block_check(uint32_t f)
{
	const struct frame *p = &frames[f];
	uint32_t n = 1u << p->order, buddy = f ^ n;

	if (f % n || f + n > nframe)
		wrong_frame(f, "a free block of such an order cannot begin here");
	if (p->next != FRAME_NONE && (p->next >= nframe || frames[p->next].prev != f ||
				      frames[p->next].kind != FRAME_FREE ||
				      frames[p->next].order != p->order))
		wrong_frame(f, "the next in its list is none");
	if (p->prev != FRAME_NONE && (p->prev >= nframe || frames[p->prev].next != f))
		wrong_frame(f, "the one before it in its list is none");
	if (buddy < nframe && p->order + 1 < MAXORDER && frames[buddy].kind == FRAME_FREE &&
	    frames[buddy].order == p->order)
		wrong_frame(f, "its buddy is free too");
	return n;
}

/* Look at the small objects of frame f. */
static void slab_check(uint32_t f)
{
	const struct frame *p = &frames[f];
	uint8_t *page = p2v(f * PAGE);
	uint32_t size = class_size[p->order], room = PAGE / size, hole = p->hole;
	bool is_free[PAGE / HOLE] = {false};

	if (p->objects > room)
		wrong_frame(f, "more objects than there is room for");
	for (uint32_t i = p->objects; i < room; i++) {
		uint32_t at = hole * HOLE;
		if (at % size || at / size >= room || is_free[at / size])
			wrong_frame(f, "a free object is none, or is so twice");
		is_free[at / size] = true;
		check_free_object(page + at);
		hole = page[at];
	}
	for (uint32_t i = 0; i < room; i++)
		if (!is_free[i])
			check_object(page + i * size);
}

/* Look at the process p. */
static void proc_check(const struct proc *p)
{
	const struct proc *c = !p->parent ? NULL : p->kstack ? p->parent->child : p->parent->dead;

	while (c && c != p)
		c = c->sibling;
	if (p->parent && !c)
		panic("process %d is not among its parent's children", p->pid);
	if (p->by_pid.key != (unsigned)p->pid ||
	    p->by_group.key != ((uint64_t)p->pgid << 32 | (unsigned)p->pid))
		panic("process %d of group %d is where another belongs", p->pid, p->pgid);
	if (p->state == PROC_FREE || (p->state != PROC_ZOMBIE && !p->kstack))
		panic("process %d has state %d, and stack %p", p->pid, p->state, p->kstack);
}

void invariants_check(void)
{
	uint32_t flags = irq_save(), n = 0;
	int last = 0;

	for (uint32_t f = 0; f < nframe; f++) {
		if (frames[f].kind == FRAME_SLAB)
			slab_check(f);
		else if (frames[f].kind == FRAME_LARGE)
			check_object(p2v(f * PAGE));
		else if (frames[f].kind == FRAME_FREE) {
			uint32_t block = block_check(f);
			n += block;
			f += block - 1;
		}
	}
	if (n != frame_free_count())
		panic("%u frames are free, and %u are in the lists", frame_free_count(), n);
	for (struct proc *p; (p = proc_from((uint32_t)last + 1)) != NULL; last = p->pid) {
		if (p->pid <= last)
			panic("process %d comes after %d", p->pid, last);
		proc_check(p);
	}
	irq_restore(flags);
}
