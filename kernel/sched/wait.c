/*
 * Waiting: wait queues, and the heap of each CPU's sleepers, which a deadline wakes. A signal ends
 * a wait, too.
 */
#include "kernel/sched/wait.h"
#include "kernel/machine/smp.h"
#include "kernel/sched/clock.h"
#include "kernel/sched/switch.h"

/*
 * Merge two heaps of sleepers into one, *at, with the earliest deadline on top: a skew heap, D.
 * Sleator and R. Tarjan, Self-Adjusting Heaps, 1986. To add one or take one out of n takes O(log n)
 * steps, amortized.
 */
static void wait_meld(struct proc **at, struct proc *a, struct proc *b)
{
	while (b) {
		if (!a || b->deadline < a->deadline) {
			struct proc *first = b;
			b = a;
			a = first;
		}
		*at = a;
		a->sleeping = at;
		at = &a->later[0];
		struct proc *other = a->later[1];
		a->later[1] = a->later[0];
		if (a->later[1])
			a->later[1]->sleeping = &a->later[1];
		a = other;
	}
	*at = a;
	if (a)
		a->sleeping = at;
}

/* End p's wait, which then returns `reason`. p belongs to CPU c, whose lock is held. */
static inline void wait_end(struct cpu *c, struct proc *p, int reason)
{
	if (p->deadline != NEVER)
		wait_meld(p->sleeping, p->later[0], p->later[1]);
	p->wake = reason;
	p->state = PROC_READY;
	hook_ready(p);
	runq_add(c, p);
}

/* End p's wait if it waits, and release CPU c's lock in any case. Return whether it waited. */
static inline __attribute__((always_inline)) bool wait_end_if(bool waits, struct cpu *c,
							      struct proc *p, int reason)
{
	if (waits)
		wait_end(c, p, reason);
	spin_unlock(&c->runq->lock);
	if (waits)
		idle_wake(c);
	return waits;
}

/*
 * Take w out of the queue that it is in, whose lock is held. The first one's `prev' and the tail of
 * an empty queue may be stale: they are copied, but never followed.
 */
static inline void wait_leave(struct waiter *w)
{
	struct waitq *q = w->q;

	if (q->head == w)
		q->head = w->next;
	else
		w->prev->next = w->next;
	if (q->tail == w)
		q->tail = w->prev;
	else
		w->next->prev = w->prev;
	w->q = NULL;
}

/* Make p, whose CPU is locked, wait until that deadline; deaf to signals or not. */
static inline void wait_begin(struct runq *r, struct proc *p, uint64_t deadline, bool deaf)
{
	p->state = PROC_WAITING;
	p->deaf = deaf;
	p->deadline = deadline;
	if (deadline == NEVER)
		return;
	p->later[0] = p->later[1] = NULL;
	wait_meld(&r->sleepers, r->sleepers, p);
	if (r->sleepers == p)
		clock_wake_at(deadline);
}

/*
 * Sleep on q as wait_on() says, deaf to signals or not.
 *
 * No wake-up is lost. The caller has seen with l held that its condition is false, and whoever
 * makes it true calls wait_wake() with l held, so not before l is released here. By then p is in
 * the queue and marked as waiting, and the lock of its CPU is held, which was taken before l was
 * released. To end the wait, wait_wake() needs that lock too, and has it only when the process that
 * runs next releases it, by switch_done(): p is off the CPU by then, and no other CPU takes it
 * while it still runs on its stack. So it is enough to take the second lock before the first is
 * released: there is no moment at which both are free for somebody to slip through.
 *
 * wait_wake() and wait_hand() take the process off the queue; a deadline or a signal leaves it
 * there.
 */
static inline __attribute__((always_inline)) int wait_for(struct waitq *q, struct spinlock *l,
						     uint64_t deadline, bool deaf)
{
	struct cpu *c = cpu_self();
	struct proc *p = c->proc;
	struct runq *r = c->runq;

	spin_lock_on(c, &r->lock);
	if (!deaf && p->pending & ~p->blocked) {
		spin_unlock(&r->lock);
		return -EINTR;
	}
	wait_begin(r, p, deadline, deaf);
	p->waiter = (struct waiter){.prev = q->tail, .q = q, .p = p};
	if (q->head)
		q->tail->next = &p->waiter;
	else
		q->head = &p->waiter;
	q->tail = &p->waiter;
	spin_unlock(l);
	c = switch_away(c, p, runq_take(c));
	hook_ran(p, hook_cause(q), __builtin_frame_address(0));
	switch_done(c);
	spin_lock(l);
	if (p->waiter.q)
		wait_leave(&p->waiter);
	return p->wake;
}

int wait_on(struct waitq *q, struct spinlock *l, uint64_t deadline)
{
	return wait_for(q, l, deadline, false);
}

int wait_uninterruptible(struct waitq *q, struct spinlock *l, uint64_t deadline)
{
	return wait_for(q, l, deadline, true);
}

/* End p's wait in wait_for_nudge(), or the next one: a queue that it watches was woken. */
static __attribute__((noinline)) void wait_nudge(struct proc *p)
{
	struct cpu *c = runq_lock(p);
	bool waits = p->watches && p->state == PROC_WAITING;

	p->nudged = true;
	wait_end_if(waits, c, p, 0);
}

/* p is off its queue: end its wait, and return true, unless something else has ended it already. */
static inline __attribute__((always_inline)) bool wait_stop(struct proc *p, int reason)
{
	struct cpu *c = runq_lock(p);

	return wait_end_if(p->state == PROC_WAITING, c, p, reason);
}

/* Watchers come first: wait_watch(). */
void wait_wake_one(struct waitq *q)
{
	struct waiter *w;

	while ((w = q->head) != NULL) {
		q->head = w->next;
		w->q = NULL;
		if (w != &w->p->waiter)
			wait_nudge(w->p);
		else if (wait_stop(w->p, 0))
			return;
	}
}

void wait_wake(struct waitq *q)
{
	while (q->head)
		wait_wake_one(q);
}

bool wait_hand(struct waitq *q)
{
	if (proc_self()->payer == PAYER_OWNER)
		return false;
	for (struct waiter *w = q->head; w; w = w->next) {
		if (w->p->payer != PAYER_OWNER)
			continue;
		wait_leave(w);
		wait_stop(w->p, WAIT_HANDED);
		return true;
	}
	return false;
}

void wait_watch(struct watcher *w, struct waitq *q, struct spinlock *l)
{
	HOLD_SPIN(l);
	if (w->w.q)
		return;
	*w = (struct watcher){{.next = q->head, .q = q, .p = proc_self()}, l};
	if (q->head)
		q->head->prev = &w->w;
	else
		q->tail = &w->w;
	q->head = &w->w;
}

void wait_unwatch(struct watcher *w)
{
	HOLD_SPIN(w->l); /* whoever wakes it may still be using it */
	if (w->w.q)
		wait_leave(&w->w);
}

int wait_for_nudge(const struct waitq *q, uint64_t deadline)
{
	struct cpu *c = cpu_self();
	struct proc *p = c->proc;

	spin_lock(&c->runq->lock);
	if (p->nudged || p->pending & ~p->blocked) {
		spin_unlock(&c->runq->lock);
		return p->nudged ? 0 : -EINTR;
	}
	wait_begin(c->runq, p, deadline, false);
	p->watches = true;
	c = switch_away(c, p, runq_take(c));
	p->watches = false;
	hook_ran(p, q ? hook_cause(q) : PROF_SLEEP, __builtin_frame_address(0));
	switch_done(c);
	return p->wake;
}

/* Sleep until the time deadline: 0, or -EINTR. */
int sleep_until(uint64_t deadline)
{
	proc_self()->nudged = false;
	proc_self()->deadline = deadline; /* which a signal looks at, even before the wait begins */
	int err = wait_for_nudge(NULL, deadline);
	return err == -ETIMEDOUT ? 0 : err;
}

/* End the sleep of the first at CPU c whose deadline is no later than now; false: there is none. */
static bool wait_sleeper_wake(struct cpu *c, uint64_t now)
{
	struct runq *r = c->runq;

	spin_lock(&r->lock);
	bool due = r->sleepers && r->sleepers->deadline <= now;
	return wait_end_if(due, c, r->sleepers, -ETIMEDOUT);
}

/* End all sleeps at CPU c whose deadline is no later than now. */
static void wait_sleepers_wake(struct cpu *c, uint64_t now)
{
	while (__atomic_load_n(&c->runq->sleepers, __ATOMIC_RELAXED) && wait_sleeper_wake(c, now))
		;
}

void sched_wake(uint64_t now)
{
	struct cpu *c = cpu_self();

	wait_sleepers_wake(c, now);
	spin_lock(&c->runq->lock);
	c->wake_at = NEVER;
	if (c->runq->sleepers)
		c->wake_at = c->runq->sleepers->deadline;
	spin_unlock(&c->runq->lock);
}

void (*sched_alarm)(uint64_t now);

/* Count a tick, and wake the sleepers of all CPUs whose deadline is no later than now. */
void sched_tick(uint64_t now)
{
	runq_tick++;
	if (sched_alarm)
		sched_alarm(now);
	for (unsigned i = 0; i < ncpu; i++)
		wait_sleepers_wake(cpus[i], now);
}

/* Make the signal pending for p, and end its wait unless that is uninterruptible. */
void sched_signal(struct proc *p, int sig)
{
	struct cpu *c = runq_lock(p);
	enum proc_state was = PROC_FREE; /* stays so if p ignores it */

	if (!(p->ignored & ~p->stopped & 1u << sig)) {
		p->pending |= 1u << sig;
		was = p->state;
		if (was == PROC_WAITING && !(p->deaf | (p->blocked >> sig & 1)))
			wait_end(c, p, -EINTR);
	}
	spin_unlock(&c->runq->lock);
	if (was == PROC_WAITING)
		idle_wake(c);
	else if (was == PROC_RUNNING && c == cpu_self())
		c->resched = RESCHED; /* give_way() is to see it */
	else if (was == PROC_RUNNING)
		smp_kick(c->id);
}

/* Drop pending signals. */
uint32_t sched_forget(struct proc *p, uint32_t set)
{
	struct cpu *c = runq_lock(p);
	uint32_t were = p->pending & set;

	p->pending &= ~set;
	spin_unlock(&c->runq->lock);
	return were;
}
