/*
 * The profiling clock.
 *
 * Each tick arms the next. Periods are drawn evenly from 0.5 to 1.5 times the mean and
 * added to a timeline in TSC cycles; the timer is armed for what is missing to the next
 * point of the timeline, so neither its own resolution nor a late tick makes it drift.
 * A point that has gone by before its tick could be armed is a lost tick.
 *
 * Chance does not make it drift either. The sum of the draws is a random walk, and would
 * stray by the square root of its steps: 0.3 % after ten seconds at 1 kHz. So it is kept
 * between two bounds, at which it is reflected; docs/accuracy.md has a picture.
 *
 * A timer that every CPU has gives each a timeline of its own. Any other interrupts CPU 0,
 * which counts the timeline's points and passes the tick on. The others compare that count
 * with what they have seen: an interrupt without a new point is not the clock's, and one with
 * two is a tick and a lost one.
 */
#include "drivers/clock/profclock.h"
#include "drivers/clock/tsc.h"
#include "kernel/abi/errno.h"
#include "kernel/lib.h"
#include "kernel/memory.h"
#include "kernel/print.h"
#include "kernel/prof/userprof.h"
#include "kernel/smp.h"
#include "kernel/trap.h"

/* The walk's unit is 8 of a draw's, so that its bounds, 4 periods either way, fill 32 bits. */
#define WALK_SHIFT 3

#define HASH 0x9e3779b9u /* makes of a draw where the bounds move to */

/* How early a tick may come, in addition to 1/64 of a period: two clocks never quite agree. */
#define SLACK_US 2

#define NONE INT64_MAX /* a time that never comes */

/*
 * The clock on one CPU, written by that CPU alone, whose tick may interrupt everything;
 * to change more than a counter, the clock is stopped first. Times are in TSC cycles.
 */
struct profclock {
	uint32_t window; /* largest lateness that is in time, longest arming; 0: stopped */
	uint32_t random; /* for prof_random() */
	int32_t walk;	 /* sum of all draws, from the middle of the bounds: 2^31 is 4 periods */
	uint32_t base;	 /* the middle of the draw */
	int32_t span;	 /* the mean period: the draw's width */
	bool passes;	 /* the others get their ticks from here */
	bool relayed;	 /* this CPU gets them from CPU 0 */
	bool running;	 /* then window is not 0, whatever interrupts starting and stopping */
	void (*arm)(uint32_t cycles); /* after a tick, and pass it on if that is to be done */
	uint64_t due; /* when the next tick should come; NONE: stopped */
	uint64_t ticks, lost;
	uint64_t left;	   /* from where the clock was stopped to the next point; 0: never */
	uint64_t part_end; /* when a part of a long period ends; NONE: it is not in parts */
	uint32_t slack; /* how much before its time a tick is still in time */
	uint32_t seen;	/* points of CPU 0's timeline that were noticed here */
	uint32_t strays;
	int32_t moved; /* how far the bounds have moved from where they were at first */
} __attribute__((aligned(64)));

static struct profclock *clock_of[MAXCPU]; /* constant after profclock_init */
/* How many points of CPU 0's timeline have gone by, if it passes ticks on; CPU 0 writes it. */
static uint32_t points __attribute__((aligned(64)));

static struct mutex lock = {.l.name = "profclock"};
static const struct timer *timer;     /* lock */
static unsigned holders;	      /* lock */
static bool by_nmi;		      /* lock */
static uint32_t rate, period_us;      /* lock */
static uint32_t mean, longest, slack; /* lock; cycles; what each CPU starts with */

/* Do *t += n in two instructions: the compiler takes six. */
static inline void add_to(uint64_t *t, uint32_t n)
{
	__asm__("addl %1, %0\n\tadcl $0, 4+%0" : "+o"(*t) : "ri"(n) : "cc");
}

/*
 * Undo the draw that took the walk across a bound, and return its mirror image, which leads
 * away from it: as either is as likely, all draws remain even. Then move both bounds to
 * somewhere within half a period of where they were at first, if that leaves the walk between
 * them: ticks near a bound that stood still would be in step with the beat, if only a little.
 */
UNSEEN __attribute__((noinline)) static int32_t reflect(struct profclock *c, int32_t random)
{
	int32_t back = ~random, moved = (int32_t)((uint32_t)random * HASH) >> WALK_SHIFT, walk;

	c->walk += back >> WALK_SHIFT;
	if (!__builtin_add_overflow(c->walk, moved - c->moved, &walk)) {
		c->walk = walk;
		c->moved = moved;
	}
	return back;
}

/* Return how many cycles after the last point of the timeline the next one is. */
static inline uint32_t draw(struct profclock *c)
{
	int32_t random = (int32_t)prof_random(&c->random), walk;

	if (__builtin_expect(__builtin_add_overflow(c->walk, random >> WALK_SHIFT, &walk), 0))
		random = reflect(c, random);
	else
		c->walk = walk;
	return c->base + (uint32_t)((int64_t)random * c->span >> 32);
}

/* Let the other CPUs know of n points more. */
static inline void count_points(uint32_t n)
{
	__atomic_store_n(&points, points + n, __ATOMIC_RELEASE);
}

/* Count the points that have gone by as lost ticks: whole periods at once, then one by one. */
UNSEEN static void skip_lost(struct profclock *c, uint64_t now)
{
	uint64_t n = now - c->due;

	div64(&n, (uint32_t)c->span);
	c->due += n * (uint32_t)c->span;
	while (c->due <= now) {
		c->due += draw(c);
		n++;
	}
	c->lost += n;
	if (c->passes)
		count_points((uint32_t)n);
}

/*
 * Arm for the next point, or for a part of the way there. The last part must be a long one: if
 * little were left after a part, its end would pass for the tick.
 */
UNSEEN static void arm_rest(struct profclock *c, uint64_t now)
{
	uint64_t left = c->due - now;
	uint32_t part;

	if (left < c->window) {
		c->part_end = NONE;
		timer->arm((uint32_t)left);
		return;
	}
	part = left / 2 < c->window ? (uint32_t)left / 2 : c->window;
	c->part_end = now + part;
	timer->arm(part);
}

/* Pass CPU 0's tick on, by one message to all the others. */
UNSEEN __attribute__((noinline)) static void pass_on(void)
{
	count_points(1);
	irqchip->ipi_others(by_nmi ? VEC_NMI : VEC_PROF);
}

UNSEEN static void arm_and_pass(uint32_t cycles)
{
	timer->arm(cycles);
	pass_on();
}

/*
 * Arm after a tick in the rare cases: the next point is far away, or has gone by. One that has
 * just gone by is not lost yet. Its tick comes a quarter of a period from now, at another place:
 * under an emulator that runs CPUs in turn, most ticks are late.
 */
UNSEEN __attribute__((noinline)) static void lost_or_far(struct profclock *c)
{
	uint64_t now = rdtsc();

	if (c->due <= now && now - c->due < (uint32_t)c->span / 2) {
		timer->arm((uint32_t)c->span / 4);
	} else {
		if (c->due <= now)
			skip_lost(c, now);
		arm_rest(c, now);
	}
	if (c->passes)
		pass_on();
}

/* Take a tick that CPU 0 passed on, if there is a point that this CPU has not seen. */
UNSEEN static void relayed(struct profclock *c, struct trapframe *tf)
{
	uint32_t n = __atomic_load_n(&points, __ATOMIC_ACQUIRE) - c->seen;

	if (n == 0)
		return;
	c->seen += n;
	add_to(&c->ticks, 1);
	add_to(&c->lost, n - 1);
	statclock(tf);
}

/*
 * Handle an interrupt that is not just after a point of this CPU's timeline. It may be a tick
 * that is a little early, or very late. If not, a part of a period has ended, or it is not
 * ours: to arm again harms neither.
 */
UNSEEN __attribute__((noinline)) static void off_time(struct profclock *c, struct trapframe *tf)
{
	uint64_t now = rdtsc();

	if (c->relayed) {
		relayed(c, tf);
		return;
	}
	if (!c->running)
		return;
	if (now + c->slack < c->due) {
		if (now + c->slack < c->part_end)
			c->strays++;
		arm_rest(c, now);
		return;
	}
	add_to(&c->ticks, 1);
	c->due += draw(c);
	lost_or_far(c);
	statclock(tf);
}

/*
 * Every sample comes this way, so there is no division, no lock, and no entry call: the count
 * of its arc would be the ticks'.
 */
UNSEEN void profclock_intr(struct trapframe *tf)
{
	struct profclock *c = clock_of[cpu_id()];
	uint32_t late = rdtsc_low() - (uint32_t)c->due, period, left;

	if (late >= c->window) { /* early, or very late, or not this CPU's own */
		off_time(c, tf);
		return;
	}
	__asm__("" : "+r"(late)); /* one number from here on, not a difference of two */
	add_to(&c->ticks, 1);
	period = draw(c);
	add_to(&c->due, period);
	left = period - late; /* huge when that has gone by as well */
	if (left < c->window)
		c->arm(left);
	else
		lost_or_far(c);
	statclock(tf);
}

/* Do the same by vector. The interrupt's end comes first, for statclock() may take long. */
UNSEEN static void vector_intr(struct trapframe *tf)
{
	irqchip->eoi();
	profclock_intr(tf);
}

static int deliver(void)
{
	return timer->deliver(by_nmi ? VEC_NMI : VEC_PROF);
}

/* Stop this CPU's clock. A tick that is under way finds it stopped. */
static void stop_here(void *)
{
	struct profclock *c = clock_of[cpu_id()];
	uint64_t now = rdtsc();

	if (!c->running)
		return;
	c->running = false;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	c->window = 0;
	if (c->due <= now)
		skip_lost(c, now);
	c->left = c->due - now;
	c->due = NONE;
	c->part_end = NONE;
	timer->disarm();
}

/*
 * Start this CPU's clock, if somebody holds it. Only the CPU itself can tell its own timer how to
 * interrupt. At the same rate the timeline goes on where it was: else a short time in which the
 * clock runs, begun with a whole period, would see fewer ticks than are its share.
 */
static void start_here(void *)
{
	struct profclock *c = clock_of[cpu_id()];
	bool same = c->left && c->span == (int32_t)mean;
	uint64_t now;

	if (c->relayed || holders == 0)
		return;
	if (timer->percpu)
		deliver();
	c->base = mean + 1; /* a draw's mean is -1/2, and the mean was rounded down */
	c->span = (int32_t)mean;
	c->slack = slack;
	now = rdtsc();
	c->due = now + (same ? c->left : draw(c));
	c->window = longest;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	c->running = true;
	arm_rest(c, now);
}

/* Set the rate and all that follows from it, while the clock is stopped. */
static void set_rate(unsigned hz)
{
	uint64_t cycles_hz = tsc_hz();

	rate = hz;
	period_us = (1000000 + hz / 2) / hz;
	mean = (uint32_t)(period_us * cycles_hz / 1000000);
	slack = mean / 64 + (uint32_t)(cycles_hz * SLACK_US / 1000000);
	longest = (uint32_t)(cycles_hz * (timer->max_ns / 1000) / 1000000);
}

/*
 * Have the timer deliver so, or go on as before if it cannot. The handlers are set last, for
 * the timer's trial of NMIs may have replaced them. Nothing may interrupt that trial.
 */
static int set_delivery(bool nmi)
{
	uint32_t flags = irq_save();
	bool was = by_nmi;
	int err;

	by_nmi = nmi;
	err = deliver();
	if (err != 0) {
		by_nmi = was;
		deliver();
	}
	trap_set(VEC_PROF, vector_intr);
	trap_set(VEC_NMI, profclock_intr);
	if (timer->percpu && holders == 0)
		clock_join(NULL); /* the timer is the system clock's until this one is held */
	irq_restore(flags);
	return err;
}

/* The timer's own CPU gets each tick, and passes it on unless every CPU has one. */
void profclock_init(const struct timer *t, const char *delivery, uint32_t seed, const char *why)
{
	timer = t;
	for (int i = 0; i < ncpu; i++) {
		struct profclock *c = clock_of[i];

		if (!c)
			c = clock_of[i] = kzalloc(sizeof(*c));
		if (!c)
			panic("no memory for the profiling clock");
		c->relayed = !t->percpu && i > 0;
		c->passes = !t->percpu && i == 0 && ncpu > 1;
		c->arm = c->passes ? arm_and_pass : t->arm;
		c->seen = points;
		c->due = NONE;
		c->part_end = NONE;
		c->random = prof_seed(seed * MAXCPU + (uint32_t)i);
	}
	set_rate(PROFCLOCK_HZ);
	by_nmi = false;
	if (strcmp(delivery, "irq") != 0 && set_delivery(true) != 0)
		printk("profclock: %s cannot deliver by NMI\n", t->name);
	if (!by_nmi && set_delivery(false) != 0)
		lacking("no profiling clock: the %s cannot interrupt", t->name);
	printk("profclock: %s, %s, %u Hz (%s)\n", t->name, by_nmi ? "nmi" : "irq", rate, why);
}

/* The system clock of CPU 0, which always runs, is armed for a time less than a tick away. */
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

void profclock_hold(void)
{
	HOLD_MUTEX(&lock);
	if (holders++ > 0)
		return;
	if (timer->percpu)
		clock_lend(true);
	cpus_call(start_here, NULL);
}

void profclock_release(void)
{
	HOLD_MUTEX(&lock);
	if (--holders > 0)
		return;
	cpus_call(stop_here, NULL);
	if (timer->percpu)
		clock_lend(false);
}

int profclock_hz(unsigned hz)
{
	if (hz < PROFCLOCK_HZ_MIN || hz > PROFCLOCK_HZ_MAX)
		return -EINVAL;
	HOLD_MUTEX(&lock);
	cpus_call(stop_here, NULL);
	set_rate(hz);
	cpus_call(start_here, NULL);
	return 0;
}

int profclock_delivery(bool nmi)
{
	int err;

	HOLD_MUTEX(&lock);
	cpus_call(stop_here, NULL);
	err = set_delivery(nmi);
	cpus_call(start_here, NULL);
	return err;
}

/* Read a 64-bit counter that a tick may change between its halves. */
static uint64_t read_counter(const volatile uint64_t *p)
{
	uint64_t v;

	do
		v = *p;
	while (v != *p);
	return v;
}

struct clock_counts profclock_counts(unsigned cpu)
{
	const struct profclock *c = clock_of[cpu];

	return (struct clock_counts){read_counter(&c->ticks), read_counter(&c->lost)};
}

void profclock_status(struct profclock_status *st)
{
	HOLD_MUTEX(&lock);
	*st = (struct profclock_status){
		.source = timer->name,
		.delivery = by_nmi ? "nmi" : "irq",
		.hz = rate,
		.period_us = period_us,
	};
	for (int i = 0; i < ncpu; i++)
		st->strays += clock_of[i]->strays;
}
