/*
 * Who runs: a round-robin queue for each account, which take turns, so that no number of one
 * user's processes keeps another's waiting; wait queues; sleeps. No preemption in the kernel.
 */
#include "kernel/cmdline.h"
#include "kernel/memory.h"
#include "kernel/print.h"
#include "kernel/proc.h"
#include "kernel/smp.h"

#define SLICE 2 /* system clock ticks that a process may run while others wait */
#define POLLS 64 /* looks of an idle CPU that does not halt, until it lets others have a turn */

_Static_assert(NACCOUNT == 2, "two queues take turns");

void switch_to(uint32_t *save, uint32_t esp);

static struct spinlock lock = {.name = "sched"};
static struct waitq ready[NACCOUNT]; /* lock; those that may run, by the account's number */
static unsigned turn;		/* lock; the account whose process goes first */
static struct proc *sleepers;	/* lock; ascending deadline */
static bool idle_polls;		/* constant after the first sched_init */
static uint32_t awake;		/* atomic; calls of idle_hold() without idle_release() */

static void push(struct waitq *q, struct proc *p)
{
	p->next = NULL;
	if (q->tail)
		q->tail->next = p;
	else
		q->head = p;
	q->tail = p;
}

static struct proc *pop(struct waitq *q)
{
	struct proc *p = q->head;

	if (p) {
		q->head = p->next;
		if (!q->head)
			q->tail = NULL;
	}
	return p;
}

static void unlink(struct waitq *q, struct proc *p)
{
	struct proc **at = &q->head, *prev = NULL;

	while (*at != p) {
		prev = *at;
		at = &prev->next;
	}
	*at = p->next;
	if (q->tail == p)
		q->tail = prev;
}

static void sleepers_add(struct proc *p)
{
	struct proc **at = &sleepers;

	while (*at && (*at)->deadline <= p->deadline)
		at = &(*at)->sleepnext;
	p->sleepnext = *at;
	*at = p;
}

static void sleepers_remove(struct proc *p)
{
	struct proc **at = &sleepers;

	while (*at != p)
		at = &(*at)->sleepnext;
	*at = p->sleepnext;
}

/* Return whether a process waits for a CPU. */
static inline bool any_ready(void)
{
	return ready[0].head || ready[1].head;
}

/* Put p at the end of its account's queue. */
static inline void ready_push(struct proc *p)
{
	push(p->account == ACCOUNT_OWNER ? &ready[0] : &ready[1], p);
}

/* Take the process to run next; NULL: there is none. Who was absent keeps the next turn. */
static inline struct proc *ready_pop(void)
{
	struct waitq *q = &ready[turn];

	if (q->head)
		turn ^= 1;
	else
		q = &ready[turn ^ 1];
	return pop(q);
}

/* Release the lock after a switch; the process before this one may be dead. */
static inline void unlock_after_switch(void)
{
	struct proc *p = cpu_self()->dead;

	cpu_self()->dead = NULL;
	spin_unlock(&lock);
	if (p)
		proc_left(p);
}

/* Let another process run; the caller holds the lock and has left the RUNNING state. */
static void switch_away(void)
{
	struct cpu *c = cpu_self();
	struct proc *prev = c->proc, *next = ready_pop();

	if (!next)
		next = c->idle;
	if (c->nlock != 1)
		panic("a change of process with %u locks held", c->nlock);
	next->state = PROC_RUNNING;
	next->cpu = c;
	if (next == prev)
		return;
	uint64_t now = rdtsc(); /* the kernel time of one ends where that of the other begins */
	prev->stime += now - prev->stamp;
	prev->stamp = now;
	next->stamp = now; /* before c->proc: other CPUs read both, for /dev/sysstat */
	__atomic_store_n(&c->proc, next, __ATOMIC_RELEASE);
	c->resched = false;
	c->switches++;
	c->slice = 0;
	vm_use(next->vm);
	cpu_stack(next->kstack + KSTACK_PAGES * PAGE);
	uint32_t flags = c->irqs_before;
	switch_to(&prev->esp, next->esp);
	cpu_self()->irqs_before = flags;
}

/* Finish the switch to a new process, on its own stack. */
void sched_begin(void)
{
	cpu_self()->irqs_before = EFL_IF;
	unlock_after_switch();
}

/* There is a process to run: have this CPU take it if it is idle, or else another idle one. */
static inline void wake_idle(void)
{
	struct cpu *self = cpu_self();

	if (self->proc == self->idle) {
		self->resched = true;
		return;
	}
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	for (int i = 0; i < ncpu; i++) {
		if (cpus[i].idle && cpus[i].proc == cpus[i].idle && !cpus[i].resched) {
			cpus[i].resched = true;
			smp_kick((unsigned)i);
			return;
		}
	}
}

/* Let p run, which is new or was waiting. */
static void make_ready(struct proc *p)
{
	p->state = PROC_READY;
	ready_push(p);
	wake_idle();
}

void sched_ready(struct proc *p)
{
	spin_lock(&lock);
	make_ready(p);
	spin_unlock(&lock);
}

/* Let those that are ready run first. */
void sched_yield(void)
{
	struct cpu *c = cpu_self();

	spin_lock(&lock);
	c->resched = false;
	if (any_ready()) {
		c->proc->state = PROC_READY;
		if (c->proc != c->idle)
			ready_push(c->proc);
		switch_away();
	}
	unlock_after_switch();
}

/* What give_way() does when others wait, or a signal came. */
int sched_give_way(void)
{
	struct proc *p = proc_self();

	sched_yield();
	return p->pending & ~p->ignored ? -EINTR : 0;
}

/* End p's wait for the reason given. It is in no queue any more, but may have a deadline. */
static void end_wait(struct proc *p, int reason)
{
	if (p->deadline != NEVER)
		sleepers_remove(p);
	p->waiting = NULL;
	p->wake = reason;
	make_ready(p);
}

static inline int wait(struct waitq *q, struct spinlock *l, uint64_t deadline, bool deaf)
{
	struct proc *p = proc_self();

	spin_lock(&lock);
	if (!deaf && p->pending & ~p->ignored) {
		spin_unlock(&lock);
		return -EINTR;
	}
	p->state = PROC_WAITING;
	p->waiting = q;
	p->deaf = deaf;
	p->deadline = deadline;
	push(q, p);
	if (deadline != NEVER)
		sleepers_add(p);
	spin_unlock(l);
	switch_away();
	unlock_after_switch();
	spin_lock(l);
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

/* End the wait of every process on q. */
void wait_wake(struct waitq *q)
{
	struct proc *p;

	spin_lock(&lock);
	while ((p = pop(q)) != NULL)
		end_wait(p, 0);
	spin_unlock(&lock);
}

bool wait_hand(struct waitq *q)
{
	struct proc *p;

	spin_lock(&lock);
	for (p = q->head; p && p->account != ACCOUNT_OWNER;)
		p = p->next;
	if (proc_self()->account == ACCOUNT_OWNER)
		p = NULL;
	if (p) {
		unlink(q, p);
		end_wait(p, WAIT_HANDED);
	}
	spin_unlock(&lock);
	return p;
}

/* Sleep until the time deadline: 0, or -EINTR. */
int sleep_until(uint64_t deadline)
{
	static struct spinlock sleep_lock = {.name = "sleep"};
	static struct waitq q;

	spin_lock(&sleep_lock);
	int err = wait_on(&q, &sleep_lock, deadline);
	spin_unlock(&sleep_lock);
	return err == -ETIMEDOUT ? 0 : err;
}

/* Count a system clock tick on this CPU: a time slice may end with it. */
void sched_slice(void)
{
	struct cpu *c = cpu_self();

	if (++c->slice >= SLICE && any_ready())
		c->resched = true;
}

/* Wake the sleepers whose deadline is no later than now. */
void sched_tick(uint64_t now)
{
	spin_lock(&lock);
	while (sleepers && sleepers->deadline <= now) {
		struct proc *p = sleepers;
		unlink(p->waiting, p);
		end_wait(p, -ETIMEDOUT);
	}
	spin_unlock(&lock);
}

/* Make the signal pending for p, and end its wait unless that is uninterruptible. */
void sched_signal(struct proc *p, int sig)
{
	spin_lock(&lock);
	if (!(p->ignored & 1u << sig)) {
		p->pending |= 1u << sig;
		if (p->state == PROC_WAITING && !p->deaf) {
			unlink(p->waiting, p);
			end_wait(p, -EINTR);
		} else if (p->state == PROC_RUNNING) {
			if (p->cpu == cpu_self())
				p->cpu->resched = true; /* give_way() is to see it */
			else
				smp_kick((unsigned)p->cpu->id);
		}
	}
	spin_unlock(&lock);
}

/* Drop a pending signal of the calling process, which ignores it from now on. */
void sched_forget(uint32_t sig)
{
	spin_lock(&lock);
	proc_self()->pending &= ~(1u << sig);
	spin_unlock(&lock);
}

/* Make the calling process a zombie; the next to run on this CPU frees its stack. */
void sched_exit(void)
{
	spin_lock(&lock);
	proc_self()->state = PROC_ZOMBIE;
	cpu_self()->dead = proc_self();
	switch_away();
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
	unsigned polls = 0;

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
	for (;;) {
		irq_off();
		/* wake_idle() follows a push: so this must come before the look at the queue */
		(void)__atomic_exchange_n(&cpu_self()->resched, false, __ATOMIC_SEQ_CST);
		if (any_ready()) {
			irq_on();
			sched_yield();
		} else {
			cpu_idle();
		}
	}
}

/* Make the calling context this CPU's idle thread. */
void sched_init(struct proc *idle)
{
	char how[8] = "";

	cmdline_get("idle", how, sizeof(how));
	idle_polls = strcmp(how, "poll") == 0;
	idle->state = PROC_RUNNING;
	cpu_self()->proc = idle;
	cpu_self()->idle = idle;
}
