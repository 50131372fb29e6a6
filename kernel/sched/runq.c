/*
 * What is in the queues of all CPUs, and how one takes a process from another's. The one that runs
 * next is taken in runq.h, by runq_pop().
 */
#include "kernel/sched/runq.h"

uint32_t runq_nready;
uint32_t runq_tick;

/* Return for how many ticks the first in q has waited, plus 1; 0: q is empty. A hint: no lock. */
static inline uint32_t runq_waited(const struct queue *q)
{
	const struct proc *p = __atomic_load_n(&q->head, __ATOMIC_RELAXED);

	if (!p)
		return 0;
	return runq_tick - p->since + 1;
}

/* Return the queue whose first process has waited longest. */
static inline struct queue *runq_longest(struct runq *r)
{
	struct queue *owner = &r->ready[PAYER_OWNER], *others = &r->ready[PAYER_OTHERS];

	if (runq_waited(owner) > runq_waited(others))
		return owner;
	return others;
}

/*
 * Take the process that has waited longest elsewhere, for so many ticks at least, if none has
 * waited longer here. A tie goes to the process elsewhere: one woken here in this tick must not
 * shut out one whose slice ended there in the same tick. Where it takes the place of one that runs,
 * that is the one that has run longest of all.
 */
void runq_steal(struct cpu *c, uint32_t ticks)
{
	struct runq *from = NULL;
	uint32_t longest = runq_waited(runq_longest(c->runq));

	for (unsigned i = 0; i < ncpu; i++) {
		struct runq *r = cpus[i]->runq;
		uint32_t n = runq_waited(runq_longest(r));
		if (ticks && cpus[i]->slice > c->slice)
			return;
		if (r == c->runq || n <= ticks || n < longest)
			continue;
		longest = n;
		from = r;
	}
	if (!from)
		return;
	spin_lock(&from->lock);
	struct queue *q = runq_longest(from);
	struct proc *p = q->head;
	if (p) {
		q->head = p->next;
		from->nready--;
		__atomic_sub_fetch(&runq_nready, 1, __ATOMIC_RELAXED);
		__atomic_store_n(&p->cpu, c, __ATOMIC_RELAXED);
	}
	spin_unlock(&from->lock);
	if (!p)
		return;
	HOLD_SPIN(&c->runq->lock);
	runq_add(c, p);
}
