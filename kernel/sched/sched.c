/*
 * Who runs; runq.h says whose turn it is. A CPU whose queues are empty takes a process from
 * another's, also at the end of a time slice if a process there has waited longer, but none whose
 * own slice has just ended: where all slices end at once, such a one might go on from CPU to CPU
 * and never wait. No preemption in the kernel.
 */
#include "kernel/sched/sched.h"
#include "kernel/memory/heap.h"
#include "kernel/sched/switch.h"

#define SLICE 2 /* system clock ticks that a process may run while others wait */

void (*sched_left)(struct proc *p);

/* Finish the switch to a new process, on its own stack. */
void sched_begin(void)
{
	struct cpu *c = cpu_self();
	struct proc *p = c->proc;

	p->utime -= rdtsc(); /* its way to user mode is not through trap_user() */
	c->irqs_before = EFL_IF;
	hook_ran(p, PROF_USER, __builtin_frame_address(0));
	switch_done(c);
}

/* Make the new process p ready to run. */
void sched_ready(struct proc *p)
{
	struct cpu *c = runq_lock(p);

	p->state = PROC_READY;
	hook_ready(p);
	runq_add(c, p);
	spin_unlock(&c->runq->lock);
	idle_wake(c);
}

/* Let those that are ready run first. */
void sched_yield(void)
{
	struct cpu *c = cpu_self();

	if (c->slice >= SLICE)
		runq_steal(c, 1);
	spin_lock_on(c, &c->runq->lock);
	struct proc *p = c->proc;
	struct proc *next = p == c->idle ? runq_take(c) : runq_pop(c->runq);
	if (!next) {
		c->resched = 0;
		switch_done(c);
		return;
	}
	p->state = PROC_READY;
	if (p != c->idle)
		runq_push(c->runq, p); /* as many wait as before */
	c = switch_away(c, p, next);
	hook_ran(p, PROF_KERNEL, __builtin_frame_address(0));
	switch_done(c);
}

/* Do what resched asks for. */
void sched_resched(void)
{
	struct cpu *c = cpu_self();

	if (c->nwoken)
		idle_wake_due(c);
	if (c->resched == RESCHED) {
		sched_yield();
		return;
	}
	c->resched = 0;
	cpu_relax();
}

/* What give_way() does when others wait, or a signal came. */
int sched_give_way(void)
{
	struct proc *p = proc_self();

	sched_yield();
	return p->pending & ~(p->blocked | p->caught) ? -EINTR : 0;
}

/* Count a system clock tick on this CPU: a time slice may end with it. */
void sched_slice(void)
{
	struct cpu *c = cpu_self();

	if (++c->slice >= SLICE && runq_any())
		c->resched = RESCHED;
}

/* Make the calling process a zombie; the next to run on this CPU frees its stack. */
void sched_exit(void)
{
	struct cpu *c = cpu_self();

	spin_lock(&c->runq->lock);
	c->proc->state = PROC_ZOMBIE;
	c->dead = c->proc;
	switch_away(c, c->dead, runq_take(c));
	panic("a dead process ran");
}

/* Make the calling context this CPU's idle thread; `left` is told of each ended process. */
void sched_init(struct proc *idle, void (*left)(struct proc *p))
{
	struct cpu *c = cpu_self();

	sched_left = left;
	c->runq = kmalloc(sizeof(*c->runq));
	if (!c->runq)
		panic("no memory for the queues of cpu%u", c->id);
	*c->runq = (struct runq){.lock.name = "sched", .turn = PAYER_OWNER};
	c->idle = idle;
	c->proc = idle;
}
