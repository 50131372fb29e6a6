/*
 * The profiling clock.
 *
 * Each tick arms the next. Periods are drawn evenly from 0.5 to 1.5 times the mean and
 * added to a timeline in TSC cycles; the timer is armed for what is missing to the next
 * point of the timeline, so neither its own resolution nor a late tick makes it drift.
 * A point that has gone by before its tick could be armed is a lost tick.
 *
 * Nor does chance: the sum of independent draws would stray by the square root of their
 * number, which is 0.3 % after ten seconds at 1 kHz. So each draw is remembered in one of
 * some slots, by chance, and the next draw that meets the slot is its mirror image. All
 * draws are even, the sum is never off by more than half a period a slot, and as the order
 * of the slots is random too, no regular grid comes about.
 */
#include "lapic.h"
#include "pit.h"
#include "profclock.h"

#define SEED 0x9e3779b9u
#define STEP_MULT 2891336453u /* full period modulo 2^32 with any odd increment */
#define STEP_ADD 1u
#define NSLOT 16
#define SLOT(random) ((random) >> 8 & (NSLOT - 1)) /* bits that hardly move the draw */

/* Nanoseconds are cycles * ns_mult >> NS_SHIFT: from 4 MHz up. */
#define NS_SHIFT 24

/* How much too early a tick may come, besides 1/64 of a period: two clocks never quite agree. */
#define SLACK_US 2

#define NONE INT64_MAX /* a time that never comes */

/*
 * Times are in TSC cycles. The tick may interrupt everything, so whoever changes more than
 * a counter stops the clock first; `lock` keeps those apart.
 */
static struct {
	void (*arm)(uint32_t ns);
	uint64_t due;	  /* when the next tick should come; NONE: stopped */
	uint32_t slack;	  /* how much before is still in time */
	uint32_t random;  /* state of the generator */
	uint32_t base;	  /* the shortest period */
	uint32_t span;	  /* the mean period: the width of the draw */
	uint32_t longest; /* what the timer can be armed for */
	uint32_t ns_mult;
	uint64_t ticks, lost;
	uint32_t strays;
	bool running;
	uint64_t piece;	  /* when a part of a long period ends; NONE: nothing of the kind */
} clk = {.due = NONE, .piece = NONE, .random = SEED};

static uint32_t slots[NSLOT]; /* draws whose mirror image is still to come; 0: none */

static struct spinlock lock = {.name = "profclock"};
static const struct timer *timer; /* lock, as the next four */
static unsigned holders;
static bool by_nmi;
static uint32_t rate, period_us;

static uint32_t cycles_to_ns(uint32_t cycles)
{
	return (uint32_t)((uint64_t)cycles * clk.ns_mult >> NS_SHIFT);
}

/* *t += n, in the two instructions that it is: the compiler takes six. */
static inline void add_to(uint64_t *t, uint32_t n)
{
	__asm__("addl %1, %0\n\tadcl $0, 4+%0" : "+o"(*t) : "r"(n) : "cc");
}

/* How far the timeline's next point lies from the last. */
static inline uint32_t draw(void)
{
	uint32_t random = clk.random * STEP_MULT + STEP_ADD, *slot = &slots[SLOT(random)];

	clk.random = random;
	if (*slot != 0) {
		random = ~*slot;
		*slot = 0;
	} else {
		*slot = random;
	}
	return clk.base + (uint32_t)((uint64_t)random * clk.span >> 32);
}

/* Points that have gone by are lost ticks: whole periods at a stroke, then one by one. */
static void skip_lost(uint64_t now)
{
	uint64_t n = now - clk.due;

	div64(&n, clk.span);
	clk.due += n * clk.span;
	clk.lost += n;
	while (clk.due <= now) {
		clk.due += draw();
		clk.lost++;
	}
}

/*
 * Arm for the next point, or for as much of the way there as the timer can, so that the
 * last piece is a long one: with a short rest the piece's end would do for the tick.
 */
static void arm_rest(uint64_t now)
{
	uint64_t left = clk.due - now;
	uint32_t part;

	if (left <= clk.longest) {
		clk.piece = NONE;
		clk.arm(cycles_to_ns((uint32_t)left));
		return;
	}
	part = left / 2 < clk.longest ? (uint32_t)left / 2 : clk.longest;
	clk.piece = now + part;
	clk.arm(cycles_to_ns(part));
}

bool profclock_due(void)
{
	uint64_t then = rdtsc() + clk.slack;

	return then >= clk.due || then >= clk.piece;
}

/* What is rare after a tick: points that have gone by, or one that is far away. */
static void __attribute__((noinline)) lost_or_far(void)
{
	uint64_t now = rdtsc();

	if (clk.due <= now)
		skip_lost(now);
	arm_rest(now);
}

/*
 * An interrupt that is not just after a point of the timeline. It may be a tick a little
 * early, or very late. If not, a piece of a period has ended, or it is not ours: to arm
 * again harms neither.
 */
static void __attribute__((noinline)) off_time(struct trapframe *tf)
{
	uint64_t now = rdtsc();

	if (now + clk.slack >= clk.due) {
		clk.ticks++;
		clk.due += draw();
		lost_or_far();
		statclock(tf);
		return;
	}
	if (!clk.running)
		return;
	if (!profclock_due())
		clk.strays++;
	arm_rest(now);
}

/*
 * This is the way that every sample takes, so it has no division and no lock, and no entry
 * call, whose count would be that of the ticks. With several CPUs and a timer that is not
 * `percpu`, here is the one place where CPU 0 passes the tick on.
 */
__attribute__((no_instrument_function)) void profclock_intr(struct trapframe *tf)
{
	uint32_t late = (uint32_t)rdtsc() - (uint32_t)clk.due, period, left;

	if (late > clk.longest) { /* early, or very late */
		off_time(tf);
		return;
	}
	clk.ticks++;
	period = draw();
	add_to(&clk.due, period);
	left = period - late; /* huge when that has gone by as well */
	if (left <= clk.longest)
		clk.arm(cycles_to_ns(left));
	else
		lost_or_far();
	statclock(tf);
}

/* The same by vector: the end of the interrupt first, for statclock() may be left late. */
__attribute__((no_instrument_function)) static void vector_intr(struct trapframe *tf)
{
	lapic_eoi();
	profclock_intr(tf);
}

/* From here on no tick comes; one that is under way finds the clock stopped. */
static void stop(void)
{
	if (!clk.running)
		return;
	clk.running = false;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	clk.due = NONE;
	clk.piece = NONE;
	timer->disarm();
}

static void start_if_held(void)
{
	uint64_t now = rdtsc();

	if (holders == 0 || timer == NULL)
		return;
	clk.due = now + draw();
	clk.running = true;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	arm_rest(now);
}

/* All that follows from the rate; the clock is stopped. */
static void set_rate(unsigned hz)
{
	uint64_t tsc_hz = pit_calibrate_tsc(), mean;
	uint32_t rest;

	rate = hz;
	period_us = (1000000 + hz / 2) / hz;
	mean = period_us * tsc_hz;
	rest = div64(&mean, 1000000);
	clk.span = (uint32_t)mean;
	clk.span = (uint32_t)mean + (rest >= 500000);
	clk.base = clk.span - (clk.span - 1) / 2; /* a draw's mean is (span - 1) / 2 */
	clk.slack = clk.span / 64 + (uint32_t)(tsc_hz * SLACK_US / 1000000);
	clk.longest = (uint32_t)(tsc_hz * (timer->max_ns / 1000) / 1000000);
}

/* The conversion rounds down, so the longest shot is within what the timer can. */
static void set_timer(const struct timer *t)
{
	uint64_t mult = (1000000000ull << NS_SHIFT) / pit_calibrate_tsc();

	timer = t;
	clk.arm = t->arm;
	clk.ns_mult = mult < UINT32_MAX ? (uint32_t)mult : UINT32_MAX;
	set_rate(PROFCLOCK_HZ);
}

/* Have the timer deliver so; the handlers are set last, for a trial may have taken them. */
static int deliver(bool nmi)
{
	int err = timer->deliver(nmi ? VEC_NMI : VEC_PROF);

	if (err == 0)
		by_nmi = nmi;
	trap_set(VEC_PROF, vector_intr);
	trap_set(VEC_NMI, profclock_intr);
	return err;
}

void profclock_init(const struct timer *t, const char *delivery)
{
	bool nmi = strcmp(delivery, "irq") != 0;

	spin_lock(&lock);
	set_timer(t);
	if (nmi && deliver(true) != 0) {
		printk("profclock: %s cannot deliver by NMI\n", t->name);
		nmi = false;
	}
	if (!nmi && deliver(false) != 0)
		panic("the profiling clock cannot interrupt");
	start_if_held();
	spin_unlock(&lock);
	printk("profclock: %s, %s, %u Hz\n", t->name, nmi ? "nmi" : "irq", rate);
}

void profclock_hold(void)
{
	spin_lock(&lock);
	if (holders++ == 0)
		start_if_held();
	spin_unlock(&lock);
}

void profclock_release(void)
{
	spin_lock(&lock);
	if (--holders == 0)
		stop();
	spin_unlock(&lock);
}

int profclock_hz(unsigned hz)
{
	if (hz < PROFCLOCK_HZ_MIN || hz > PROFCLOCK_HZ_MAX)
		return -EINVAL;
	spin_lock(&lock);
	stop();
	set_rate(hz);
	start_if_held();
	spin_unlock(&lock);
	return 0;
}

int profclock_delivery(bool nmi)
{
	bool was;
	int err;

	spin_lock(&lock);
	was = by_nmi;
	stop();
	err = deliver(nmi);
	if (err != 0)
		deliver(was);
	start_if_held();
	spin_unlock(&lock);
	return err;
}

/* A 64-bit counter that a tick may change between its halves. */
static uint64_t read_counter(const volatile uint64_t *p)
{
	uint64_t v;

	do
		v = *p;
	while (v != *p);
	return v;
}

void profclock_status(struct profclock_status *st)
{
	spin_lock(&lock);
	*st = (struct profclock_status){
		.source = timer->name,
		.delivery = by_nmi ? "nmi" : "irq",
		.hz = rate,
		.period_us = period_us,
		.ticks = read_counter(&clk.ticks),
		.lost = read_counter(&clk.lost),
		.strays = clk.strays,
	};
	spin_unlock(&lock);
}
