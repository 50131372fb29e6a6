/*
 * What must hold of the kernel's memory and processes, for the test device of the checking kernel,
 * which looks while nothing else runs: on one CPU, with interrupts off. Panics name what does not.
 */
#include "kernel/machine/check.h"
#include "kernel/machine/i386.h"
#include "kernel/machine/panic.h"
#include "kernel/memory/frame.h"
#include "kernel/memory/heap.h"
#include "kernel/memory/space.h"
#include "kernel/process/proc.h"
#include "tests/invariants.h"

#define MAXORDER 14 /* frame.c's */
#define KEPT_PAGES (8 * KSTACK_PAGES) /* of stacks that kstack.c keeps, for which the owner pays */

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

/* Return whether p is the first, by pid, of the processes that share its memory. */
static bool vm_first(const struct proc *p)
{
	const struct proc *q = proc_from(1);

	while (q->vm != p->vm)
		q = proc_from((uint32_t)q->pid + 1);
	return q == p;
}

/* Return what is promised to p's memory; panic unless that is what its regions say. */
static uint32_t vm_promised(const struct proc *p)
{
	uint32_t n = 0;

	for (unsigned i = 0; i < p->vm->nregion; i++)
		n += (p->vm->region[i].end - p->vm->region[i].promised) / PAGE;
	if (n != p->vm->promised)
		panic("process %d has %u pages promised, and regions of %u", p->pid,
		      p->vm->promised, n);
	return n;
}

/* Panic unless the account has paid for so many, and no more than `kept` beyond. */
static void wrong_charge(enum payer payer, enum resource r, uint32_t is, uint32_t kept)
{
	uint32_t paid = accounts[r][payer].used;

	if (paid < is || paid - is > kept)
		panic("user %d has paid for %u of resource %d, and has %u", payer, paid, r, is);
}

size_t invariants_charges(void)
{
	uint32_t flags = irq_save(), is[NRESOURCE][NPAYER] = {0}, all = 0;
	const struct proc *p;

	for (uint32_t f = 0; f < nframe; f++) {
		all -= frames[f].kind == FRAME_SLAB;
		if (frames[f].kind != FRAME_FREE)
			is[ACCOUNT_PAGES][frames[f].payer] += frames[f].ref || frames[f].kind;
	}
	for (uint32_t pid = 0; (p = proc_from(pid + 1)) != NULL; pid = (uint32_t)p->pid) {
		is[ACCOUNT_PROCESSES][p->payer]++;
		if (p->kstack)
			is[ACCOUNT_PAGES][p->payer] += KSTACK_PAGES;
		if (p->vm && vm_first(p))
			is[ACCOUNT_PAGES][p->vm->payer] += vm_promised(p);
	}
	for (enum payer payer = PAYER_OWNER; payer < NPAYER; payer++) {
		bool keeps = payer == PAYER_OWNER;
		wrong_charge(payer, ACCOUNT_PROCESSES, is[ACCOUNT_PROCESSES][payer], 0);
		wrong_charge(payer, ACCOUNT_PAGES, is[ACCOUNT_PAGES][payer], keeps * KEPT_PAGES);
		for (enum resource r = 0; r < NRESOURCE; r++)
			all += accounts[r][payer].used;
	}
	irq_restore(flags);
	return all;
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
