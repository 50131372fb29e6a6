/*
 * Who runs. Each CPU has a round-robin queue for each account, which take turns, so that no number
 * of one user's processes keeps another's waiting. A CPU whose queues are empty takes a process
 * from another's, and so does one at the end of a time slice if one has waited longer there. No
 * preemption in the kernel.
 */
#include "kernel/cmdline.h"
#include "kernel/idling.h"
#include "kernel/memory.h"
#include "kernel/print.h"
#include "kernel/prof/hooks.h"
#include "kernel/proc.h"
#include "kernel/smp.h"
#include "kernel/vm.h"

#define SLICE 2 /* system clock ticks that a process may run while others wait */
#define POLLS 64 /* looks of an idle CPU that does not halt, until it lets others have a turn */

_Static_assert(NACCOUNT == 2, "two queues take turns");

void switch_to(uint32_t *save, uint32_t esp);

struct queue {
	struct proc *head, *tail; /* by proc.next */
};

/* A CPU's own part: its lock guards the state of the processes that run, wait or sleep here. */
struct runq {
	struct spinlock lock;
	struct queue ready[NACCOUNT]; /* lock; those that may run, by the account's number */
	unsigned turn;		      /* lock; the account whose process goes first */
	unsigned nready;	      /* lock; atomic for others: how many are in both queues */
	struct proc *sleepers;	      /* lock; ascending deadline */
};

static uint32_t nready;			     /* atomic; processes in the queues of all CPUs */
uint32_t idling[IDLING_WORDS];
static uint32_t tick;			     /* of the system clock; CPU 0 writes it */
static bool idle_polls;			     /* constant after the first sched_init */
static uint32_t awake;			     /* atomic; idle_hold() without idle_release() */

/* Return how many processes wait for a CPU, at all of them. */
static inline uint32_t any_ready(void)
{
	return __atomic_load_n(&nready, __ATOMIC_RELAXED);
}

/* Put p at the end of its account's queue. */
static inline void queue_push(struct runq *r, struct proc *p)
{
	struct queue *q = &r->ready[p->account != ACCOUNT_OWNER];

	p->since = tick;
	p->next = NULL;
	if (q->head)
		q->tail->next = p;
	else
		q->head = p;
	q->tail = p;
}

/* Take the process that goes first; NULL: none. Who was absent keeps the next turn. */
static inline struct proc *queue_pop(struct runq *r)
{
	struct queue *q = &r->ready[r->turn];

	if (q->head)
		r->turn ^= 1;
	else
		q = &r->ready[r->turn ^ 1];
	struct proc *p = q->head;
	if (p)
		q->head = p->next;
	return p;
}

/* Let p wait at CPU c, whose lock is held. */
static inline void ready_push(struct cpu *c, struct proc *p)
{
	queue_push(c->runq, p);
	c->runq->nready++;
	__atomic_add_fetch(&nready, 1, __ATOMIC_SEQ_CST); /* before wake_one() looks who is idle */
}

/* Take the process that goes first at CPU c, whose lock is held; NULL: none. */
static inline struct proc *ready_pop(struct cpu *c)
{
	struct proc *p = queue_pop(c->runq);

	if (p) {
		c->runq->nready--;
		__atomic_sub_fetch(&nready, 1, __ATOMIC_RELAXED);
	}
	return p;
}

/* Return since how many ticks the first in q waits, and 1; 0: none does. Without a lock, a hint. */
static inline uint32_t waited(const struct queue *q)
{
	const struct proc *p = __atomic_load_n(&q->head, __ATOMIC_RELAXED);

	return p ? tick - p->since + 1 : 0;
}

/*
 * Take the process that has waited longest elsewhere, if none has waited longer here. One that was
 * woken here in this tick must not keep out one whose slice ended elsewhere in the same.
 */
static void steal(struct cpu *c)
{
	struct queue *ours = c->runq->ready, *q = NULL;
	uint32_t longest = waited(&ours[0]), n = waited(&ours[1]);
	struct cpu *from = c;

	if (longest < n)
		longest = n;
	for (int i = 0; i < ncpu * NACCOUNT; i++) {
		struct cpu *at = cpus[i / NACCOUNT];
		n = at == c ? 0 : waited(&at->runq->ready[i % NACCOUNT]);
		if (n > 0 && n >= longest) {
			longest = n;
			from = at;
			q = &at->runq->ready[i % NACCOUNT];
		}
	}
	if (!q)
		return;
	spin_lock(&from->runq->lock);
	struct proc *p = q->head;
	if (p) {
		q->head = p->next;
		from->runq->nready--;
		__atomic_sub_fetch(&nready, 1, __ATOMIC_RELAXED);
		__atomic_store_n(&p->cpu, c, __ATOMIC_RELAXED);
	}
	spin_unlock(&from->runq->lock);
	if (!p)
		return;
	spin_lock(&c->runq->lock);
	ready_push(c, p);
	spin_unlock(&c->runq->lock);
}

/* Take the lock of the CPU that p is with, and return that. */
static inline struct cpu *lock_of(const struct proc *p)
{
	for (;;) {
		struct cpu *c = __atomic_load_n(&p->cpu, __ATOMIC_RELAXED);
		spin_lock(&c->runq->lock);
		if (__atomic_load_n(&p->cpu, __ATOMIC_RELAXED) == c)
			return c;
		spin_unlock(&c->runq->lock);
	}
}

static void sleepers_add(struct runq *r, struct proc *p)
{
	struct proc **at = &r->sleepers;

	while (*at && (*at)->deadline <= p->deadline)
		at = &(*at)->sleepnext;
	p->sleepnext = *at;
	*at = p;
}

static void sleepers_remove(struct runq *r, struct proc *p)
{
	struct proc **at = &r->sleepers;

	while (*at != p)
		at = &(*at)->sleepnext;
	*at = p->sleepnext;
}

/* Wake as many idle CPUs as are due; those take a process from elsewhere if they have none. */
static void wake_idle(struct cpu *self)
{
	unsigned n = __atomic_exchange_n(&self->nwoken, 0, __ATOMIC_RELAXED);
	unsigned first, id = self->woken;

	for (; n > 0 && any_ready(); n--) {
		while ((first = idling_first()) < MAXCPU && !idling_remove(id))
			id = first;
		if (first == MAXCPU)
			return;
		if (id != (unsigned)self->id)
			smp_kick(id);
	}
}

/*
 * There is a process to run at CPU c: wake that if it is idle, or else another. The message takes
 * its time, and whoever is woken may want the locks held here, so these are released first.
 */
static inline void wake_one(const struct cpu *c)
{
	struct cpu *self = cpu_self();

	if (idling_first() == MAXCPU)
		return;
	self->woken = (unsigned)c->id;
	self->nwoken++;
	if (!self->resched)
		self->resched = RESCHED_TURN;
	if (self->nlock == 0)
		wake_idle(self);
}

/* Release the lock after a switch; the process before this one may be dead. */
static inline void unlock_after_switch(void)
{
	struct cpu *c = cpu_self();

	spin_unlock(&c->runq->lock);
	if (__builtin_expect(!(c->nwoken | (uintptr_t)c->dead), 1))
		return;
	struct proc *p = c->dead;
	c->dead = NULL;
	if (c->nwoken)
		wake_idle(c);
	if (p)
		proc_left(p);
}

/* Let next, or NULL: the idle thread, run on c, which is locked, instead of prev. */
static inline __attribute__((always_inline)) void switch_away(struct cpu *c, struct proc *prev,
							      struct proc *next)
{
	if (c->nlock != 1)
		panic("a change of process with %u locks held", c->nlock);
	next = next ? next : c->idle;
	next->state = PROC_RUNNING;
	/* Where the kernel time of one ends, that of the other begins. */
	prev->left = next->stamp = proc_charge(prev, &prev->stime);
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

/* Finish the switch to a new process, on its own stack. */
void sched_begin(void)
{
	cpu_self()->irqs_before = EFL_IF;
	hook_ran(proc_self(), PROF_USER);
	unlock_after_switch();
}

/* Let p run, which is new. */
void sched_ready(struct proc *p)
{
	struct cpu *c = lock_of(p);

	p->state = PROC_READY;
	hook_ready(p);
	ready_push(c, p);
	spin_unlock(&c->runq->lock);
	wake_one(c);
}

/* Let those that are ready run first. */
void sched_yield(void)
{
	struct cpu *c = cpu_self();
	struct runq *r = c->runq;
	struct proc *p = c->proc, *next;

	if (c->slice >= SLICE)
		steal(c);
	spin_lock(&r->lock);
	next = p == c->idle ? ready_pop(c) : queue_pop(r);
	if (!next) {
		c->resched = 0;
		unlock_after_switch();
		return;
	}
	p->state = PROC_READY;
	if (p != c->idle)
		queue_push(r, p); /* as many wait as before */
	switch_away(c, p, next);
	hook_ran(p, PROF_KERNEL);
	unlock_after_switch();
}

/* Do what resched asks for. */
void sched_resched(void)
{
	struct cpu *c = cpu_self();

	if (c->nwoken)
		wake_idle(c);
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
	return p->pending & ~p->ignored ? -EINTR : 0;
}

/* End the wait of p, which is with CPU c, whose lock is held, for the reason given. */
static inline void end_wait(struct cpu *c, struct proc *p, int reason)
{
	if (p->deadline != NEVER)
		sleepers_remove(c->runq, p);
	p->wake = reason;
	p->state = PROC_READY;
	hook_ready(p);
	ready_push(c, p);
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

/* Whatever ended the wait but wait_wake() has left the process in the queue. */
static inline __attribute__((always_inline)) int wait(struct waitq *q, struct spinlock *l,
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
		sleepers_add(r, p);
	p->waiting = q;
	p->waitnext = NULL;
	if (q->head)
		q->tail->waitnext = p;
	else
		q->head = p;
	q->tail = p;
	spin_unlock(l);
	switch_away(c, p, ready_pop(c));
	hook_ran(p, PROF_DEVICE + q->cause);
	unlock_after_switch();
	spin_lock(l);
	if (p->waiting)
		wait_leave(p);
	return p->wake;
}

int wait_on(struct waitq *q, struct spinlock *l, uint64_t deadline)
{
	return wait(q, l, deadline, false);
}

int wait_uninterruptible(struct waitq *q, struct spinlock *l, uint64_t deadline)
{
	return wait(q, l, deadline, true);
}

/* End the wait of p, which has left its queue, unless something else has. */
static inline void wake(struct proc *p, int reason)
{
	struct cpu *c = lock_of(p);
	bool waits = p->state == PROC_WAITING;
	if (waits)
		end_wait(c, p, reason);
	spin_unlock(&c->runq->lock);
	if (waits)
		wake_one(c);
}

/* End the wait of every process on q. */
void wait_wake(struct waitq *q)
{
	struct proc *p;

	while ((p = q->head) != NULL) {
		q->head = p->waitnext;
		p->waiting = NULL;
		wake(p, 0);
	}
}

bool wait_hand(struct waitq *q)
{
	struct proc *p;

	for (p = q->head; p && p->account != ACCOUNT_OWNER;)
		p = p->waitnext;
	if (!p || proc_self()->account == ACCOUNT_OWNER)
		return false;
	wait_leave(p);
	wake(p, WAIT_HANDED);
	return true;
}

/* Sleep until the time deadline: 0, or -EINTR. */
int sleep_until(uint64_t deadline)
{
	struct spinlock l = {.name = "sleep"};
	struct waitq q = {.cause = WAIT_SLEEP}; /* nobody else knows it */

	spin_lock(&l);
	int err = wait_on(&q, &l, deadline);
	spin_unlock(&l);
	return err == -ETIMEDOUT ? 0 : err;
}

/* Count a system clock tick on this CPU: a time slice may end with it. */
void sched_slice(void)
{
	struct cpu *c = cpu_self();

	if (++c->slice >= SLICE && any_ready())
		c->resched = RESCHED;
}

/* End the sleep of the first at CPU c whose deadline is no later than now; false: there is none. */
static bool sleeper_wake(struct cpu *c, uint64_t now)
{
	struct runq *r = c->runq;
	bool due;

	spin_lock(&r->lock);
	due = r->sleepers && r->sleepers->deadline <= now;
	if (due)
		end_wait(c, r->sleepers, -ETIMEDOUT);
	spin_unlock(&r->lock);
	if (due)
		wake_one(c);
	return due;
}

/* Wake the sleepers of all CPUs whose deadline is no later than now. */
void sched_tick(uint64_t now)
{
	tick++;
	for (int i = 0; i < ncpu; i++)
		while (__atomic_load_n(&cpus[i]->runq->sleepers, __ATOMIC_RELAXED) &&
		       sleeper_wake(cpus[i], now))
			;
}

/* Make the signal pending for p, and end its wait unless that is uninterruptible. */
void sched_signal(struct proc *p, int sig)
{
	struct cpu *c = lock_of(p);
	enum proc_state was = PROC_FREE; /* if that matters */

	if (!(p->ignored & 1u << sig)) {
		p->pending |= 1u << sig;
		was = p->state;
		if (was == PROC_WAITING && !p->deaf)
			end_wait(c, p, -EINTR);
	}
	spin_unlock(&c->runq->lock);
	if (was == PROC_WAITING)
		wake_one(c);
	else if (was == PROC_RUNNING && c == cpu_self())
		c->resched = RESCHED; /* give_way() is to see it */
	else if (was == PROC_RUNNING)
		smp_kick((unsigned)c->id);
}

/* Drop a pending signal of the calling process, which ignores it from now on. */
void sched_forget(uint32_t sig)
{
	struct cpu *c = lock_of(proc_self());

	proc_self()->pending &= ~(1u << sig);
	spin_unlock(&c->runq->lock);
}

/* Make the calling process a zombie; the next to run on this CPU frees its stack. */
void sched_exit(void)
{
	struct cpu *c = cpu_self();

	spin_lock(&c->runq->lock);
	c->proc->state = PROC_ZOMBIE;
	c->dead = c->proc;
	switch_away(c, c->dead, ready_pop(c));
	panic("a dead process ran");
}

/*
 * Keep CPU 0 from halting until idle_release(), for a driver that waits for the host. Under
 * QEMU's -icount a machine that halts skips to its next timer interrupt, so in its own time
 * the host would be late.
 */
void idle_hold(void)
{
	__atomic_add_fetch(&awake, 1, __ATOMIC_RELAXED);
}

void idle_release(void)
{
	__atomic_sub_fetch(&awake, 1, __ATOMIC_RELAXED);
}

/* Return whether this CPU is to wait without halting. */
static bool stay_awake(const struct cpu *c)
{
	return idle_polls || (c->id == 0 && __atomic_load_n(&awake, __ATOMIC_RELAXED) != 0);
}

/*
 * Wait until there is something to do: interrupts are off on entry, on afterwards. This is a
 * function of its own so that profiles name it. idle=poll on the command line is for QEMU's
 * -icount, which may see a halt before it has counted the instructions up to it: then equal
 * runs are not quite equal. There one CPU runs at a time, until a pause gives up its turn;
 * that takes the host as long as some hundred looks, so there is one pause to many.
 */
static void __attribute__((noinline)) cpu_idle(void)
{
	struct cpu *c = cpu_self();
	volatile unsigned polls = 0; /* in memory: the function has its frame when it halts, too */

	check_irqs_off();
	c->halted = true;
	if (stay_awake(c)) {
		irq_on();
		while (!__atomic_load_n(&c->resched, __ATOMIC_RELAXED) && stay_awake(c))
			if (++polls % POLLS == 0)
				cpu_relax();
	} else {
		cpu_halt();
	}
	c->halted = false;
}

/* Be this CPU's idle thread. */
void sched_loop(void)
{
	struct cpu *c = cpu_self();

	for (;;) {
		irq_off();
		c->resched = 0;
		idling_add((unsigned)c->id); /* before the look: see ready_push() */
		if (!any_ready()) {
			cpu_idle();
			continue;
		}
		idling_remove((unsigned)c->id);
		irq_on();
		if (!c->runq->nready)
			steal(c);
		sched_yield();
	}
}

/* Make the calling context this CPU's idle thread. */
void sched_init(struct proc *idle)
{
	char how[8] = "";
	struct cpu *c = cpu_self();

	cmdline_get("idle", how, sizeof(how));
	idle_polls = strcmp(how, "poll") == 0;
	idle->state = PROC_RUNNING;
	idle->cpu = c;
	c->runq = kzalloc(sizeof(*c->runq));
	if (!c->runq)
		panic("no memory for the queues of cpu%d", c->id);
	c->runq->lock.name = "sched";
	c->idle = idle;
	c->proc = idle;
}
