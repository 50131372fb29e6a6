/*
 * profil(2) and sprofil(2). A tick may be an NMI, which must not touch user memory: it notes
 * where the process was, and the process itself counts that in its buffers before it goes
 * back to user mode.
 */
#include "kernel/prof/profil.h"
#include "kernel/abi/profil.h"
#include "kernel/abi/select.h"
#include "kernel/machine/copy.h"
#include "kernel/machine/user.h"
#include "kernel/memory/heap.h"
#include "kernel/prof/calls.h"
#include "kernel/prof/hooks.h"
#include "kernel/prof/profilers.h"

/* A process shares this with its children; after sproc they may share the user memory as well. */
struct profil_buffers {
	uint32_t ref;	   /* atomic */
	struct mutex lock; /* held while a cell is read, added to and written */
	uint32_t cell;	   /* constant; bytes */
	uint32_t n;	   /* constant; regions */
	struct prof_profil_region region[]; /* constant */
};

static void (*clock_change)(int more, void (*then)(void *arg), void *arg);
static unsigned nprofiled; /* prof_lock; processes */

void profil_clock(void (*change)(int more, void (*then)(void *arg), void *arg))
{
	clock_change = change;
}

static void profil_buffers_put(struct profil_buffers *b)
{
	if (__atomic_sub_fetch(&b->ref, 1, __ATOMIC_ACQ_REL) == 0)
		kfree(b);
}

/* Add n samples to the cell at addr, which wraps. -EFAULT. */
static int profil_add(struct profil_buffers *b, uint32_t addr, uint32_t n)
{
	uint32_t count = 0;

	HOLD_MUTEX(&b->lock);
	int err = copyin(&count, user_ptr(addr), b->cell);
	count += n;
	return err ? err : copyout(user_ptr(addr), &count, b->cell);
}

/* Count what was noted, up to the first cell that cannot be written: -EFAULT. */
static int profil_count(struct profiled *d)
{
	struct profil_buffers *b = d->into;
	prof_addr addr;
	int err = 0;

	for (uint32_t i = 0; i < d->noted.queued && err == 0; i++)
		if (prof_profil_find(b->region, b->n, b->cell, d->noted.queue[i].pc, &addr))
			err = profil_add(b, (uint32_t)addr, d->noted.queue[i].n);
	d->noted.queued = 0;
	return err;
}

/*
 * Count what was noted; the calling process is not profiled any more. Interrupts are on: the
 * profiling clock cannot be stopped without.
 */
void profil_off(void)
{
	struct proc *p = proc_self();
	struct profiled *d = p->prof.profil;

	if (!d)
		return;
	profil_count(d);
	p->prof.beat = d->noted.beat;
	p->prof.profil = NULL;
	profil_buffers_put(d->into);
	kfree(d);
	HOLD_MUTEX(&prof_lock);
	if (--nprofiled == 0) { /* the last one stops the clock for all */
		prof_profil_stop(prof);
		clock_change(-1, NULL, NULL);
	}
}

/* Give the calling process's buffers their counts, before it goes back to user mode. */
void profil_update(void)
{
	struct profiled *d = proc_self()->prof.profil;
	bool on = read_eflags() & EFL_IF;

	if (d->noted.queued == 0)
		return;
	irq_on();
	if (profil_count(d) != 0)
		profil_off();
	if (!on)
		irq_off();
}

/* Profile p into b, with a sample every us microseconds. False: no memory. */
static bool profil_on(struct proc *p, struct profil_buffers *b, uint32_t us)
{
	struct profiled *d = kmalloc(sizeof(*d));

	if (!d)
		return false;
	d->noted.beat = p->prof.beat;
	prof_profil_begin(&d->noted, us, (uint32_t)rdtsc()); /* a child has no pid yet */
	__atomic_add_fetch(&b->ref, 1, __ATOMIC_RELAXED);
	d->into = b;
	HOLD_MUTEX(&prof_lock);
	if (nprofiled++ == 0) { /* the first one starts the clock for all */
		clock_change(1, NULL, NULL);
		prof_profil_start(prof);
	}
	p->prof.profil = d;
	return true;
}

/* Profile the child as its parent is. */
bool hook_fork(struct proc *child)
{
	const struct profiled *d = proc_self()->prof.profil;

	check_may_sleep();
	if (prof_wants(prof, PROF_REPLACED))
		calls_give(child);
	if (!d)
		return true;
	return profil_on(child, d->into, d->noted.beat.period);
}

/* Make room for n regions of cells of `cell` bytes, with one reference, the caller's; or NULL. */
static struct profil_buffers *profil_buffers_new(uint32_t n, uint32_t cell)
{
	struct profil_buffers *b = kmalloc(sizeof(*b) + n * sizeof(b->region[0]));

	if (b)
		*b = (struct profil_buffers){
			.ref = 1, .lock.l.name = "profil", .cell = cell, .n = n,
		};
	return b;
}

/* (buff, bufsiz, offset, scale). Always 0: what cannot be done leaves profiling off. */
int32_t sys_profil(const uint32_t arg[5])
{
	struct prof_profil_region r = {arg[0], arg[1], arg[2], arg[3]};

	profil_off();
	if (r.scale <= 1 || r.size == 0)
		return 0;
	struct profil_buffers *b = profil_buffers_new(1, 2);
	if (!b)
		return 0;
	b->region[0] = r;
	profil_on(proc_self(), b, PROF_PROFIL_US);
	profil_buffers_put(b);
	return 0;
}

/* (const struct prof *, profcnt, struct timeval *, flags): none or no regions turn it off. */
int32_t sys_sprofil(const uint32_t arg[5])
{
	uint32_t n = arg[1], flags = arg[3];
	uint32_t us = flags & PROF_FAST ? PROF_PROFIL_FAST_US : PROF_PROFIL_US;
	struct timeval period = {.tv_usec = (int32_t)us};
	int err = 0;

	if (n > INT32_MAX || flags & ~(uint32_t)(PROF_UINT | PROF_FAST))
		return -EINVAL;
	if (n > PROFIL_MAXREGION)
		return -E2BIG;
	struct profil_buffers *b = profil_buffers_new(n, flags & PROF_UINT ? 4 : 2);
	if (!b)
		return -ENOMEM;
	if (n > 0)
		err = copyin(b->region, user_ptr(arg[0]), n * sizeof(b->region[0]));
	if (err == 0)
		err = copyout_wanted(user_ptr(arg[2]), &period, sizeof(period));
	if (err == 0) {
		profil_off();
		if (n > 0 && !profil_on(proc_self(), b, us))
			err = -ENOMEM;
	}
	profil_buffers_put(b);
	return err;
}
