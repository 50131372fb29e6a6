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

/* Let next, or NULL: the idle thread, run on c, which is locked, instead of prev. */
static inline __attribute__((always_inline)) void switch_away(struct cpu *c, struct proc *prev,
							      struct proc *next)
{
	if (c->nlock != 1)
		panic("a change of process with %u locks held", c->nlock);
	if (!next)
		next = c->idle;
	if (__builtin_expect(c->fpu != NULL, 0))
		fpu_save(c);
	next->state = PROC_RUNNING;
	/* Where the kernel time of one ends, that of the other begins. */
	next->stamp = proc_charge(prev, &prev->stime);
	hook_left(prev, next->stamp);
	/* That was before c->proc, for other CPUs read both, for /dev/sysstat. */
	__atomic_store_n(&c->proc, next, __ATOMIC_RELEASE);
	c->resched = 0;
	c->switches++;
	c->slice = 0;
	vm_use(next->vm);
	c->tss->esp0 = (uintptr_t)(next->kstack + KSTACK_PAGES * PAGE);
	uint32_t flags = c->irqs_before;
	switch_to(&prev->esp, next->esp);
	cpu_self()->irqs_before = flags;
}

/* Release the lock after a switch; the process before this one may be dead. */
static inline void switch_done(void)
{
	struct cpu *c = cpu_self();

	spin_unlock(&c->runq->lock);
	if (__builtin_expect(!(c->nwoken | (uintptr_t)c->dead), 1))
		return;
	struct proc *p = c->dead;
	c->dead = NULL;
	if (c->nwoken)
		idle_wake_due(c);
	if (p)
		sched_left(p);
}
