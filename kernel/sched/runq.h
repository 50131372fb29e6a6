/*
 * Run queues. Each CPU has a round-robin queue for the owner and one for all others, which take
 * turns, so that no number of one user's processes keeps another's waiting. What is in these queues
 * is added and taken inline, for it is part of every change of process.
 */
#pragma once

#include "kernel/process/proc.h"

_Static_assert(NPAYER == 3, "two queues take turns");

#define TURN_PARTS 8 /* a run during which no tick comes is such a part of a turn */

struct queue {
	struct proc *head, *tail; /* by proc.next */
};

/* A CPU's own part: its lock guards the state of the processes that run, wait or sleep here. */
struct runq {
	struct spinlock lock;
	struct queue ready[NPAYER]; /* lock; those that may run, by who pays for them */
	enum payer turn;	    /* lock; whose process goes first */
	unsigned parts;		    /* lock; runs during which no tick came */
	unsigned nready;	    /* lock; atomic for others: how many are in both queues */
	struct proc *sleepers;	    /* lock; the one with the first deadline: wait.c */
};

extern uint32_t runq_nready; /* atomic; processes in the queues of all CPUs */
extern uint32_t runq_tick;   /* of the system clock; CPU 0 writes it */

/*
 * Move the process that has waited longest elsewhere, so many ticks at least, to c, unless one has
 * waited longer here. 0 ticks are for an idle CPU, where it takes nobody's place.
 */
void runq_steal(struct cpu *c, uint32_t ticks);

/* Return how many processes wait for a CPU, at all of them. */
static inline uint32_t runq_any(void)
{
	return __atomic_load_n(&runq_nready, __ATOMIC_RELAXED);
}

/* Put p at the end of its user's queue. */
static inline void runq_push(struct runq *r, struct proc *p)
{
	struct queue *q = &r->ready[p->payer];

	p->since = runq_tick;
	p->next = NULL;
	if (q->head)
		q->tail->next = p;
	else
		q->head = p;
	q->tail = p;
}

/* Take the process that goes first; NULL: none. A turn that nobody wants is kept. */
static inline struct proc *runq_pop(struct runq *r)
{
	enum payer turn = r->turn, other = turn ^ PAYER_OWNER ^ PAYER_OTHERS;
	struct proc *p = r->ready[turn].head;

	if (p) {
		r->turn = other;
	} else {
		turn = other;
		p = r->ready[turn].head;
	}
	if (p)
		r->ready[turn].head = p->next;
	return p;
}

/* Let p wait at CPU c, whose lock is held. */
static inline void runq_add(struct cpu *c, struct proc *p)
{
	runq_push(c->runq, p);
	c->runq->nready++;
	/* Before idle_wake() looks who is idle. */
	__atomic_add_fetch(&runq_nready, 1, __ATOMIC_SEQ_CST);
}

/*
 * Take the process that goes first at CPU c, whose lock is held, in the place of one that waits or
 * ends; NULL: none. If no tick came while that ran, it has used a part of its user's turn: one that
 * wakes now and then for some microseconds must not halve the share of the user's others, nor may
 * two that replace each other keep the turn.
 */
static inline struct proc *runq_take(struct cpu *c)
{
	if (c->slice == 0 && c->proc != c->idle)
		if (++c->runq->parts % TURN_PARTS)
			c->runq->turn = c->proc->payer;
	struct proc *p = runq_pop(c->runq);

	if (p) {
		c->runq->nready--;
		__atomic_sub_fetch(&runq_nready, 1, __ATOMIC_RELAXED);
	}
	return p;
}

/* Take the lock of the CPU that p is with, and return that. */
static inline struct cpu *runq_lock(const struct proc *p)
{
	for (;;) {
		struct cpu *c = __atomic_load_n(&p->cpu, __ATOMIC_RELAXED);
		spin_lock(&c->runq->lock);
		if (__atomic_load_n(&p->cpu, __ATOMIC_RELAXED) == c)
			return c;
		spin_unlock(&c->runq->lock);
	}
}
