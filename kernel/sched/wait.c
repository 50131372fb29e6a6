/*
 * Waiting: wait queues, and the list of each CPU's sleepers, which a deadline wakes. A signal ends
 * a wait, too.
 */
#include "kernel/sched/wait.h"
#include "kernel/machine/smp.h"
#include "kernel/sched/switch.h"

static void wait_sleepers_add(struct runq *r, struct proc *p)
{
	struct proc **at = &r->sleepers;

	while (*at && (*at)->deadline <= p->deadline)
		at = &(*at)->sleepnext;
	p->sleepnext = *at;
	*at = p;
}

static void wait_sleepers_remove(struct runq *r, struct proc *p)
{
	struct proc **at = &r->sleepers;

	while (*at != p)
		at = &(*at)->sleepnext;
	*at = p->sleepnext;
}

/* End p's wait, which then returns `reason`. p is with CPU c, whose lock is held. */
static inline void wait_end(struct cpu *c, struct proc *p, int reason)
{
	if (p->deadline != NEVER)
		wait_sleepers_remove(c->runq, p);
	p->wake = reason;
	p->state = PROC_READY;
	hook_ready(p);
	runq_add(c, p);
}

/* Take p out of the queue that it is in, whose lock is held. */
static void wait_leave(struct proc *p)
{
	struct waitq *q = p->waiting;
	struct proc **at = &q->head, *prev = NULL;

	while (*at != p) {
		prev = *at;
		at = &prev->waitnext;
	}
	*at = p->waitnext;
	if (q->tail == p)
		q->tail = prev;
	p->waiting = NULL;
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

	spin_lock(&r->lock);
	if (!deaf && p->pending & ~p->ignored) {
		spin_unlock(&r->lock);
		return -EINTR;
	}
	p->state = PROC_WAITING;
	p->deaf = deaf;
	p->deadline = deadline;
	if (deadline != NEVER)
		wait_sleepers_add(r, p);
	p->waiting = q;
	p->waitnext = NULL;
	if (q->head)
		q->tail->waitnext = p;
	else
		q->head = p;
	q->tail = p;
	spin_unlock(l);
	switch_away(c, p, runq_take(c));
	hook_ran(p, hook_cause(q), __builtin_frame_address(0));
	switch_done();
	spin_lock(l);
	if (p->waiting)
		wait_leave(p);
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

/* p is off its queue: end its wait, unless something else has ended it already. */
static inline void wait_stop(struct proc *p, int reason)
{
	struct cpu *c = runq_lock(p);
	bool waits = p->state == PROC_WAITING;
	if (waits)
		wait_end(c, p, reason);
	spin_unlock(&c->runq->lock);
	if (waits)
		idle_wake(c);
}

/* End the wait of every process on q. */
void wait_wake(struct waitq *q)
{
	struct proc *p;

	while ((p = q->head) != NULL) {
		q->head = p->waitnext;
		p->waiting = NULL;
		wait_stop(p, 0);
	}
}

bool wait_hand(struct waitq *q)
{
	if (proc_self()->payer == PAYER_OWNER)
		return false;
	for (struct proc *p = q->head; p; p = p->waitnext) {
		if (p->payer != PAYER_OWNER)
			continue;
		wait_leave(p);
		wait_stop(p, WAIT_HANDED);
		return true;
	}
	return false;
}

/* Sleep until the time deadline: 0, or -EINTR. */
int sleep_until(uint64_t deadline)
{
	struct spinlock l = {.name = "sleep"};
	struct waitq q = {.cause = PROF_SLEEP}; /* nobody else knows it */

	HOLD_SPIN(&l);
	int err = wait_on(&q, &l, deadline);
	return err == -ETIMEDOUT ? 0 : err;
}

/* End the sleep of the first at CPU c whose deadline is no later than now; false: there is none. */
static bool wait_sleeper_wake(struct cpu *c, uint64_t now)
{
	struct runq *r = c->runq;

	spin_lock(&r->lock);
	bool due = r->sleepers && r->sleepers->deadline <= now;
	if (due)
		wait_end(c, r->sleepers, -ETIMEDOUT);
	spin_unlock(&r->lock);
	if (due)
		idle_wake(c);
	return due;
}

/* Wake the sleepers of all CPUs whose deadline is no later than now. */
void sched_tick(uint64_t now)
{
	runq_tick++;
	for (unsigned i = 0; i < ncpu; i++)
		while (__atomic_load_n(&cpus[i]->runq->sleepers, __ATOMIC_RELAXED) &&
		       wait_sleeper_wake(cpus[i], now))
			;
}

/* Make the signal pending for p, and end its wait unless that is uninterruptible. */
void sched_signal(struct proc *p, int sig)
{
	struct cpu *c = runq_lock(p);
	enum proc_state was = PROC_FREE; /* stays so if p ignores it */

	if (!(p->ignored & 1u << sig)) {
		p->pending |= 1u << sig;
		was = p->state;
		if (was == PROC_WAITING && !p->deaf)
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

/* Drop a pending signal of the calling process, which ignores it from now on. */
void sched_forget(uint32_t sig)
{
	struct cpu *c = runq_lock(proc_self());

	proc_self()->pending &= ~(1u << sig);
	spin_unlock(&c->runq->lock);
}
