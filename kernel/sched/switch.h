/* A change of process: what comes before and after switch_to(), for those who give up their CPU. */
#pragma once

#include "kernel/machine/paging.h"
#include "kernel/prof/hooks.h"
#include "kernel/sched/fpu.h"
#include "kernel/sched/idle.h"
#include "kernel/sched/runq.h"
#include "kernel/sched/sched.h"

void switch_to(uint32_t *save, uint32_t esp);
void fork_return(void); /* where a child begins: it goes on from its trap frame */

/*
 * Let next, or NULL: the idle thread, run on c, which is locked, instead of prev. Return the CPU on
 * which prev runs again.
 */
static INLINED struct cpu *switch_away(struct cpu *c, struct proc *prev, struct proc *next)
{
	/* Not from a register, in which the compiler would keep it since it was counted. */
	if (__atomic_load_n(&c->nlock, __ATOMIC_RELAXED) != 1)
		panic("a change of process with %u locks held", c->nlock);
	if (!next)
		next = c->idle;
	if (__builtin_expect(c->fpu != NULL, 0))
		fpu_save(c);
	next->state = PROC_RUNNING;
	/* Where the time of one ends, that of the other begins. */
	uint64_t now = rdtsc();
	prev->cputime += now;
	next->cputime -= now;
	hook_left(prev, now);
	hook_came(next, now);
	__atomic_store_n(&c->proc, next, __ATOMIC_RELEASE);
	c->resched = 0;
	c->switches++;
	c->slice = 0;
	vm_use(c, next->vm);
	c->tss->esp0 = (uintptr_t)(next->kstack + KSTACK_PAGES * PAGE);
	uint32_t flags = c->irqs_before;
	switch_to(&prev->esp, next->esp);
	c = cpu_self();
	c->irqs_before = flags;
	return c;
}

/* Release the lock of this CPU after a switch; the process before this one may be dead. */
static inline void switch_done(struct cpu *c)
{
	spin_unlock_on(c, &c->runq->lock);
	if (__builtin_expect(!(c->nwoken | (uintptr_t)c->dead), 1))
		return;
	struct proc *p = c->dead;
	c->dead = NULL;
	if (c->nwoken)
		idle_wake_due(c);
	if (p)
		sched_left(p);
}
