/*
 * The profiling clock, by the timer that boot/clocks.c chooses.
 *
 * Each tick arms the next: the timer is armed for the time left until the next point of a timeline,
 * so neither the timer's resolution nor a late tick makes it drift. A point that has gone by half a
 * period, or more, before its tick could be armed is a lost tick. Points go by from when the clock
 * was to start until it is stopped, on all CPUs at once, however late one is started.
 *
 * A timer that every CPU has gives each a timeline of its own. Any other interrupts CPU 0,
 * which counts the timeline's points and passes the tick on. The others compare that count
 * with what they have seen: an interrupt without a new point is not the clock's, and one with
 * two is a tick and a lost one.
 */
#include "drivers/clock/profclock.h"
#include "drivers/clock/lateness.h"
#include "drivers/clock/timeline.h"
#include "drivers/clock/tsc.h"
#include "drivers/clock/turns.h"
#include "kernel/machine/trap.h"
#include "kernel/memory/heap.h"
#include "kernel/prof/profilers.h"
#include "kernel/sched/call.h"

/* How early a tick may come, in addition to 1/64 of a period: two clocks never quite agree. */
#define SLACK_US 2
#define NONE INT64_MAX /* a time that never comes */

/*
 * The clock on one CPU, written by that CPU alone, whose tick may interrupt everything; to change
 * more than a counter, the clock is stopped first. Only `window` is set to 0 by another CPU, too,
 * to stop it: profclock_stop_all(). Times are in TSC cycles.
 */
struct profclock {
	uint32_t window; /* largest lateness that is in time, longest arming; 0: stopped */
	struct timeline line; /* its `due`: when the next tick should come; NONE: stopped */
	bool passes;	 /* the others get their ticks from here */
	bool relayed;	 /* this CPU gets them from CPU 0 */
	bool running;	 /* from the end of starting to the beginning of stopping */
	void (*arm)(uint32_t cycles); /* arms the timer after a tick, and passes on what is to be */
	uint64_t ticks, lost;
	uint64_t left;	   /* from where the clock was stopped to the next point; 0: never */
	uint64_t part_end; /* when a part of a long period ends; NONE: it is not in parts */
	uint32_t slack; /* how much before its time a tick is still in time */
	uint32_t seen;	/* points of CPU 0's timeline that were noticed here */
	uint32_t strays;
	struct lateness lateness;
} __attribute__((aligned(64)));

static struct profclock *clock_of[MAXCPU]; /* constant after profclock_init */
/* How many points of CPU 0's timeline have gone by, if it passes ticks on; CPU 0 writes it. */
static uint32_t points __attribute__((aligned(64)));

static struct mutex lock = {.l.name = "profclock"};
static const struct timer *timer;     /* lock */
static unsigned holders;	      /* lock */
static bool by_nmi;		      /* lock */
static int nmi_error;		      /* constant after profclock_init; 0: by NMI it works */
static uint32_t rate, period_us;      /* lock */
static uint32_t mean, longest, slack; /* lock; cycles; what each CPU starts with */
uint64_t profclock_stood;	      /* lock */
static uint32_t rest;		      /* constant; cycles between interrupts while it is at rest */
static volatile bool stopping;	      /* every CPU is to stop its clock; set with lock */
static volatile bool lent;	      /* the system clock's timers are this one's; set with lock */

/* Do *t += n in two instructions: the compiler takes six. */
static inline void counter_add(uint64_t *t, uint32_t n)
{
	__asm__("addl %1, %0\n\tadcl $0, 4+%0" : "+o"(*t) : "ri"(n) : "cc");
}

/* Read a counter that may change between its halves. */
static inline uint64_t counter_read(const volatile uint64_t *p)
{
	uint64_t v;

	do
		v = *p;
	while (v != *p);
	return v;
}

/* Return the vector by which ticks come. */
UNSEEN static inline unsigned profclock_vector(void)
{
	if (by_nmi)
		return VEC_NMI;
	return VEC_PROF;
}

/* Tell the other CPUs that n more points have gone by. */
static inline void profclock_count_points(uint32_t n)
{
	__atomic_store_n(&points, points + n, __ATOMIC_RELEASE);
}

/* Count the points that have gone by as lost ticks. */
UNSEEN static void profclock_skip_lost(struct profclock *c, uint64_t now)
{
	uint32_t n = timeline_skip(&c->line, now);

	c->lost += n;
	if (c->passes)
		profclock_count_points(n);
}

/*
 * Arm for the next point, or for a part of the way there. The last part must be a long one: if a
 * part ended shortly before the point, its end would be taken for the tick.
 */
UNSEEN static void profclock_arm_rest(struct profclock *c, uint64_t now)
{
	uint64_t left = c->line.due - now;

	if (left < c->window) {
		c->part_end = NONE;
		timer->arm((uint32_t)left);
		return;
	}
	uint32_t part = c->window;
	if (left / 2 < part)
		part = (uint32_t)left / 2;
	c->part_end = now + part;
	timer->arm(part);
}

/* Pass CPU 0's tick on, by one message to all the others. */
UNSEEN __attribute__((noinline)) static void profclock_pass_on(void)
{
	profclock_count_points(1);
	irqchip->ipi_others(profclock_vector());
}

UNSEEN static void profclock_arm_and_pass(uint32_t cycles)
{
	timer->arm(cycles);
	profclock_pass_on();
}

/*
 * Arm after a tick in the rare cases: the next point is far away, or has gone by. If it has just
 * gone by, its tick is not lost yet, but comes a quarter of a period from now: under an emulator
 * that runs CPUs in turn, most ticks are late. What a pause leaves out its next tick finds lost.
 */
UNSEEN __attribute__((noinline)) static void profclock_lost_or_far(struct profclock *c)
{
	uint64_t now = rdtsc(), late = now - c->line.due; /* huge if it lies ahead */
	uint32_t pause = 0, period = (uint32_t)c->line.span;

	if (c->line.due <= now)
		pause = lateness_pause(&c->lateness, (uint32_t)c->ticks, late + period, c->window,
				       cpu_self()->halted);
	if (pause != 0) {
		timer->arm(pause);
	} else if (late < period / 2) {
		timer->arm(period / 4);
	} else {
		if (c->line.due <= now)
			profclock_skip_lost(c, now);
		profclock_arm_rest(c, now);
	}
	if (c->passes)
		profclock_pass_on();
}

/* Take a tick that CPU 0 passed on, if there is a point that this CPU has not seen. */
UNSEEN static void profclock_relayed(struct profclock *c, struct trapframe *tf)
{
	uint32_t n = __atomic_load_n(&points, __ATOMIC_ACQUIRE) - c->seen;

	if (n == 0)
		return;
	c->seen += n;
	counter_add(&c->ticks, 1);
	counter_add(&c->lost, n - 1);
	statclock(tf);
}

/* Stop this CPU's clock. A tick that is under way finds it stopped, or is what stops it. */
UNSEEN static void profclock_stop_here(void *)
{
	struct profclock *c = clock_of[cpu_id()];

	if (!__atomic_exchange_n(&c->running, false, __ATOMIC_SEQ_CST))
		return; /* or a tick in between has stopped it */
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	c->window = 0;
	c->part_end = NONE;
	if (!lent)
		timer->disarm();
}

/*
 * Handle an interrupt that does not come just after a point of this CPU's timeline. It may be a
 * tick that is a little early, or very late. If not, a part of a period has ended, or the interrupt
 * is not this clock's: to arm again does no harm in either case. A CPU that gets its ticks from
 * CPU 0 takes all of them here.
 *
 * While the clock stands still for a change, the CPUs' own timers go on interrupting: the system
 * clock's would be the only one, and where an emulator runs CPUs in turn CPU 0 would lose each turn
 * in the store that arms it.
 */
UNSEEN __attribute__((noinline))
static void profclock_off_time(struct profclock *c, struct trapframe *tf)
{
	uint64_t now = rdtsc();

	if (stopping)
		profclock_stop_here(NULL);
	else if (c->relayed)
		profclock_relayed(c, tf);
	if (!c->running) {
		if (lent)
			timer->arm(rest);
		return;
	}
	if (now + c->slack < c->line.due) {
		if (now + c->slack < c->part_end)
			c->strays++;
		profclock_arm_rest(c, now);
		return;
	}
	counter_add(&c->ticks, 1);
	c->line.due += timeline_draw(&c->line);
	profclock_lost_or_far(c);
	statclock(tf);
}

/* Every sample comes this way: no division, no lock, no call at the entry, for that counts. */
UNSEEN void profclock_intr(struct trapframe *tf)
{
	struct profclock *c = clock_of[cpu_id()];
	uint32_t late = (uint32_t)rdtsc() - (uint32_t)c->line.due, period, left;

	if (late >= c->window) { /* early, or very late, or not this CPU's own */
		profclock_off_time(c, tf);
		return;
	}
	__asm__("" : "+r"(late)); /* one number from here on, not a difference of two */
	counter_add(&c->ticks, 1);
	period = timeline_draw(&c->line);
	counter_add(&c->line.due, period);
	left = period - late; /* huge when that has gone by as well */
	if (left < c->window)
		c->arm(left);
	else
		profclock_lost_or_far(c);
	statclock(tf);
}

/* Handle a tick that came by vector. The interrupt ends first, for statclock() may take long. */
UNSEEN static void profclock_irq(struct trapframe *tf)
{
	uint64_t since = rdtsc();

	irqchip->eoi();
	profclock_intr(tf);
	trap_unseen(tf, since);
}

/* Take an NMI while ticks come by vector: it is somebody else's, and may interrupt a tick. */
UNSEEN static void profclock_foreign(struct trapframe *)
{
	struct profclock *c = clock_of[cpu_id()];

	if (c->running)
		c->strays++;
	else if (lent)
		timer->arm(rest); /* see profclock_off_time(): the delivery has just changed */
}

/*
 * Start this CPU's clock, if somebody holds it. Only the CPU itself can tell its own timer how to
 * interrupt, and disarms it first: what the system clock armed it for would be a stray. The
 * timeline goes on where it was, at another rate with the same part of a period: else a short time,
 * begun with a whole one, would see fewer ticks than are its share.
 */
static void profclock_start_here(void *)
{
	struct profclock *c = clock_of[cpu_id()];
	uint64_t now, left = c->left * mean;

	if (c->relayed || holders == 0)
		return;
	if (timer->percpu) {
		timer->disarm();
		timer->deliver(profclock_vector());
		clock_lend();
	}
	if (left != 0)
		div64(&left, (uint32_t)c->line.span);
	timeline_set_mean(&c->line, mean);
	c->slack = slack;
	if (left == 0)
		left = timeline_draw(&c->line);
	now = rdtsc();
	c->line.due = profclock_stood + left;
	if (c->line.due <= now)
		profclock_skip_lost(c, now);
	c->window = longest;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	c->running = true;
	profclock_arm_rest(c, now);
}

/* Count as lost what has gone by on a CPU whose clock has stopped, and was not noticed there. */
static void profclock_settle(struct profclock *c)
{
	if (c->relayed) {
		c->lost += points - c->seen;
		c->seen = points;
		return;
	}
	if (c->line.due <= profclock_stood)
		profclock_skip_lost(c, profclock_stood);
	c->left = c->line.due - profclock_stood;
	c->line.due = NONE;
}

/*
 * Stop the clock on all CPUs, at one time. Where an emulator runs CPUs in turn, the last one may do
 * nothing but handle its ticks, so that the call would not reach it: each tick is out of time when
 * the window is 0, and looks whether it is to stop.
 */
static void profclock_stop_all(void)
{
	stopping = true;
	for (unsigned i = 0; i < ncpu; i++)
		__atomic_store_n(&clock_of[i]->window, 0, __ATOMIC_RELAXED);
	cpus_call(profclock_stop_here, NULL);
	profclock_stood = rdtsc();
	for (unsigned i = 0; i < ncpu; i++)
		profclock_settle(clock_of[i]);
	__atomic_thread_fence(__ATOMIC_RELEASE); /* who still gets a message sees `seen` */
	stopping = false;
}

/* Have CPUs that an emulator runs in turn get as many turns as the clock needs now. */
static void profclock_pace(void)
{
	uint32_t ns = period_us * 1000 / 4;

	if (!timer->percpu)
		ns /= 2 * ncpu;
	if (holders == 0 || ns > TURNS_SLOW)
		ns = TURNS_SLOW;
	turns_pace(ns);
}

/* Set the rate and all that follows from it, while the clock is stopped; hz points to it. */
static void profclock_set_rate(void *hz)
{
	uint64_t cycles_hz = tsc_hz();

	rate = *(const unsigned *)hz;
	period_us = (1000000 + rate / 2) / rate;
	mean = (uint32_t)(period_us * cycles_hz / 1000000);
	slack = mean / 64 + (uint32_t)(cycles_hz * SLACK_US / 1000000);
	rest = (uint32_t)(cycles_hz / 1000);
	longest = (uint32_t)(cycles_hz * (timer->max_ns / 1000) / 1000000);
	if (timer->turns && longest > mean)
		longest = mean;
}

/*
 * Have ticks come by NMI, or by vector, while the clock is stopped; nmi points to which. Delivery
 * and handlers change together. CPUs' own timers are told when this clock starts: they may be the
 * system clock's now.
 */
static void profclock_set_delivery(void *nmi)
{
	uint32_t flags = irq_save();

	by_nmi = *(const bool *)nmi;
	if (!timer->percpu)
		timer->deliver(profclock_vector());
	trap_set(VEC_PROF, profclock_irq);
	trap_set(VEC_NMI, by_nmi ? profclock_intr : profclock_foreign);
	irq_restore(flags);
}

/* How ticks are delivered, by_nmi or not, in the words of the command line and of kpctl. */
static const char *const delivered[] = {"irq", "nmi"};

/* Make the clock of one CPU. The timer's own CPU passes ticks on, unless every CPU has one. */
static void profclock_prepare(unsigned cpu, const struct timer *t, uint32_t seed)
{
	struct profclock *c = clock_of[cpu];
	bool shared = !t->percpu && ncpu > 1;

	if (!c)
		c = clock_of[cpu] = kzalloc(sizeof(*c));
	if (!c)
		panic("no memory for the profiling clock");
	c->relayed = shared && cpu > 0;
	c->passes = shared && cpu == 0;
	c->arm = t->arm;
	if (c->passes)
		c->arm = profclock_arm_and_pass;
	c->seen = points;
	c->line.due = NONE;
	c->part_end = NONE;
	c->line.random = prof_seed(seed * MAXCPU + cpu);
}

void profclock_init(const struct timer *t, const char *delivery, uint32_t seed, const char *why)
{
	timer = t;
	for (unsigned i = 0; i < ncpu; i++)
		profclock_prepare(i, t, seed);
	profclock_set_rate(&(unsigned){PROFCLOCK_HZ});
	uint32_t flags = irq_save();
	nmi_error = timer->deliver(VEC_NMI);
	if (timer->deliver(VEC_PROF) != 0 && nmi_error != 0)
		lacking("no profiling clock: the %s cannot interrupt", timer->name);
	if (timer->percpu)
		clock_join(NULL); /* the timer is the system clock's until this one is held */
	irq_restore(flags);
	if (strcmp(delivery, "irq") != 0 && nmi_error != 0)
		printk("profclock: %s cannot deliver by NMI\n", t->name);
	profclock_set_delivery(&(bool){strcmp(delivery, "irq") != 0 && nmi_error == 0});
	printk("profclock: %s, %s, %u Hz (%s)\n", t->name, delivered[by_nmi], rate, why);
}

/* For the time: CPU 0's system clock always runs, and is armed for less than two ticks from now. */
void profclock_describe(struct prof_block_field *f)
{
	static const struct prof_block_field described[] = {
		[PROF_BLOCK_CLOCK_NAME] = PROF_BLOCK_IN(&timer, , struct timer, name),
		[PROF_BLOCK_CLOCK_NMI] = PROF_BLOCK_AT(by_nmi),
		[PROF_BLOCK_CLOCK_HZ] = PROF_BLOCK_AT(rate),
		[PROF_BLOCK_CLOCK_PERIOD_US] = PROF_BLOCK_AT(period_us),
		[PROF_BLOCK_CLOCK_TIME_NS] = PROF_BLOCK_IN(cpus, , struct cpu, next_tick),
		[PROF_BLOCK_CLOCK_TICKS] = PROF_BLOCK_IN(clock_of, , struct profclock, ticks),
		[PROF_BLOCK_CLOCK_LOST] = PROF_BLOCK_IN(clock_of, , struct profclock, lost),
	};

	memcpy(f, described, sizeof(described));
}

void profclock_change(int more, void (*then)(void *arg), void *arg)
{
	HOLD_MUTEX(&lock);
	bool ran = holders > 0;

	holders += (unsigned)more;
	bool runs = holders > 0;
	if (!then && ran == runs)
		return;
	profclock_stood = rdtsc();
	if (ran)
		profclock_stop_all();
	if (then)
		then(arg);
	if (ran != runs) {
		if (lent)
			clock_take_back();
		lent = runs && timer->percpu;
	}
	profclock_pace();
	if (runs)
		cpus_call(profclock_start_here, NULL);
}

int profclock_hz(unsigned hz)
{
	if (!in_range(hz, PROFCLOCK_HZ_MIN, PROFCLOCK_HZ_MAX + 1))
		return -EINVAL;
	profclock_change(0, profclock_set_rate, &hz);
	return 0;
}

int profclock_delivery(bool nmi)
{
	if (nmi && nmi_error != 0)
		return nmi_error;
	profclock_change(0, profclock_set_delivery, &nmi);
	return 0;
}

struct clock_counts profclock_counts(unsigned cpu)
{
	const struct profclock *c = clock_of[cpu];

	return (struct clock_counts){counter_read(&c->ticks), counter_read(&c->lost)};
}

void profclock_status(struct profclock_status *st)
{
	HOLD_MUTEX(&lock);
	*st = (struct profclock_status){.source = timer->name, .delivery = delivered[by_nmi],
					.hz = rate, .period_us = period_us};
	for (unsigned i = 0; i < ncpu; i++)
		st->strays += clock_of[i]->strays;
}
