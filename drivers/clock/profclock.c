/*
 * The profiling clock.
 *
 * Each tick arms the next. Periods are drawn evenly from 0.5 to 1.5 times the mean and
 * added to a timeline in TSC cycles; the timer is armed for what is missing to the next
 * point of the timeline, so neither its own resolution nor a late tick makes it drift.
 * A point that has gone by before its tick could be armed is a lost tick.
 *
 * Chance does not make it drift either: the sum of independent draws would stray by the square
 * root of their number, 0.3 % after ten seconds at 1 kHz. So the sum of all draws is kept, and
 * one that would lead more than FAR periods away from the even beat is taken for its
 * mirror image. Either side is as likely as the other, so all draws remain even. And each
 * time this happens the bounds move, by up to half a period: the ticks near a bound that
 * stood still would be in step with the beat, if only a little.
 *
 * A timer that every CPU has gives each a timeline of its own. Any other interrupts CPU 0,
 * which counts the timeline's points and passes the tick on; the others compare that
 * count with what they have seen, so an interrupt that is not the clock's is none, and
 * two that became one are a tick and a lost one.
 */
#include "drivers/clock/profclock.h"
#include "drivers/clock/tsc.h"
#include "kernel/abi/errno.h"
#include "kernel/lib.h"
#include "kernel/print.h"
#include "kernel/prof/userprof.h"
#include "kernel/smp.h"
#include "kernel/trap.h"

#define SEED 0x9e3779b9u
#define SEED_STEP 0x632be5aau /* from one CPU's to the next; even, for all are odd */
#define STEP_MULT 2891336453u /* period 2^30 modulo 2^32, from odd numbers */
#define EDGE_MULT 0x9e3779b9u
#define FAR_SHIFT 3 /* FAR is 4: a sum of draws >> 3 fills 32 bits */

/* How early a tick may come, besides 1/64 of a period: two clocks never quite agree. */
#define SLACK_US 2

#define NONE INT64_MAX /* a time that never comes */

/*
 * The clock on one CPU, written by that CPU alone, whose tick may interrupt everything;
 * whoever changes more than a counter stops the clock first. Times are in TSC cycles.
 */
struct profclock {
	uint32_t window; /* how late is in time, how long the timer can be armed; 0: stopped */
	uint32_t random; /* state of the generator; odd */
	int32_t strayed; /* sum of all draws, and edge: 2^31 is FAR periods */
	uint32_t base;	 /* the middle of the draw */
	int32_t span;	 /* the mean period: the draw's width */
	bool passes;	 /* the others get their ticks from here */
	bool relayed;	 /* this CPU gets them from CPU 0 */
	bool running;	 /* then window is not 0, whatever interrupts starting and stopping */
	void (*arm)(uint32_t cycles); /* after a tick: passes it on too where that is to be done */
	uint64_t due; /* when the next tick should come; NONE: stopped */
	uint64_t ticks, lost;
	uint64_t piece; /* when a part of a long period ends; NONE: nothing of the kind */
	uint32_t slack; /* how much before its time a tick is still in time */
	uint32_t seen;	/* points of CPU 0's timeline that were noticed here */
	uint32_t strays;
	int32_t edge; /* how far the bounds have moved */
} __attribute__((aligned(64)));

static struct profclock clocks[MAXCPU];
static struct profclock *clock_of[MAXCPU]; /* constant after profclock_init; found faster */
/* How many of CPU 0's timeline have gone by, when it passes them on; CPU 0 writes it. */
static uint32_t points __attribute__((aligned(64)));

static struct mutex lock;
static const struct timer *timer; /* lock, as all that follow */
static unsigned holders;
static bool by_nmi;
static uint32_t rate, period_us;
static uint32_t mean, longest, slack; /* cycles; what each CPU starts with */

/* The clock on the CPU that calls. */
static inline struct profclock *here(void)
{
	return clock_of[cpu_id()];
}

/* *t += n, in the two instructions that it is: the compiler takes six. */
static inline void add_to(uint64_t *t, uint32_t n)
{
	__asm__("addl %1, %0\n\tadcl $0, 4+%0" : "+o"(*t) : "ri"(n) : "cc");
}

/*
 * The draw that has made the sum of draws overflow is undone, its mirror image taken, and
 * the bounds are moved if that leaves the sum within them.
 */
UNSEEN __attribute__((noinline)) static int32_t turn(struct profclock *c, int32_t random)
{
	int32_t back = ~random, edge = (int32_t)((uint32_t)random * EDGE_MULT) >> FAR_SHIFT, moved;
	int32_t sum = c->strayed + (back >> FAR_SHIFT);

	if (!__builtin_add_overflow(sum, edge - c->edge, &moved)) {
		sum = moved;
		c->edge = edge;
	}
	c->strayed = sum;
	return back;
}

/* How far the timeline's next point lies from the last. */
static inline uint32_t draw(struct profclock *c)
{
	int32_t random = (int32_t)(c->random * STEP_MULT), sum;

	c->random = (uint32_t)random;
	if (__builtin_expect(__builtin_add_overflow(c->strayed, random >> FAR_SHIFT, &sum), 0))
		random = turn(c, random);
	else
		c->strayed = sum;
	return c->base + (uint32_t)((int64_t)random * c->span >> 32);
}

/* n points more that the other CPUs are to know of. */
static inline void tell(uint32_t n)
{
	__atomic_store_n(&points, points + n, __ATOMIC_RELEASE);
}

/* Points that have gone by are lost ticks: whole periods at a stroke, then one by one. */
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
		tell((uint32_t)n);
}

/*
 * Arm for the next point, or for as much of the way there as the timer can, so that the
 * last piece is a long one: with a short rest the piece's end would do for the tick.
 */
UNSEEN static void arm_rest(struct profclock *c, uint64_t now)
{
	uint64_t left = c->due - now;
	uint32_t part;

	if (left < c->window) {
		c->piece = NONE;
		timer->arm_cycles((uint32_t)left);
		return;
	}
	part = left / 2 < c->window ? (uint32_t)left / 2 : c->window;
	c->piece = now + part;
	timer->arm_cycles(part);
}

/* CPU 0's tick is everybody's: one message to all the others, however many they are. */
UNSEEN __attribute__((noinline)) static void pass_on(void)
{
	tell(1);
	irqchip->ipi_others(by_nmi ? VEC_NMI : VEC_PROF);
}

UNSEEN static void arm_and_pass(uint32_t cycles)
{
	timer->arm_cycles(cycles);
	pass_on();
}

/* What is rare after a tick: points that have gone by, or one that is far away. */
UNSEEN __attribute__((noinline)) static void lost_or_far(struct profclock *c)
{
	uint64_t now = rdtsc();

	if (c->due <= now)
		skip_lost(c, now);
	arm_rest(c, now);
	if (c->passes)
		pass_on();
}

/* On another CPU than 0: a tick if there is a point that it has not seen, or the last of some. */
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
 * An interrupt that is not just after a point of this CPU's timeline. It may be a tick a
 * little early, or very late. If not, a piece of a period has ended, or it is not ours: to
 * arm again harms neither.
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
		if (now + c->slack < c->piece)
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
 * This is the way that every sample takes, so it has no division and no lock, and no entry
 * call, whose count would be that of the ticks.
 */
UNSEEN void profclock_intr(struct trapframe *tf)
{
	struct profclock *c = here();
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

/* The same by vector: the end of the interrupt first, for statclock() may take long. */
UNSEEN static void vector_intr(struct trapframe *tf)
{
	irqchip->eoi();
	profclock_intr(tf);
}

static int deliver(void)
{
	return timer->deliver(by_nmi ? VEC_NMI : VEC_PROF);
}

/* From here on this CPU's timer makes no tick; one that is under way finds the clock stopped. */
static void stop_here(void *)
{
	struct profclock *c = here();

	if (!c->running)
		return;
	c->running = false;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	c->window = 0;
	c->due = NONE;
	c->piece = NONE;
	timer->disarm();
}

/* Only this CPU can tell a timer of its own how to interrupt. */
static void start_here(void *)
{
	struct profclock *c = here();
	uint64_t now;

	if (c->relayed)
		return;
	if (timer->percpu)
		deliver();
	c->base = mean + 1; /* a draw's mean is -1/2, and the mean was rounded down */
	c->span = (int32_t)mean;
	c->slack = slack;
	now = rdtsc();
	c->due = now + draw(c);
	c->window = longest;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	c->running = true;
	arm_rest(c, now);
}

static void stop(void)
{
	cpus_call(stop_here, NULL);
}

static void start_if_held(void)
{
	if (holders > 0 && timer != NULL)
		cpus_call(start_here, NULL);
}

/* All that follows from the rate; the clock is stopped. */
static void set_rate(unsigned hz)
{
	uint64_t cycles_hz = tsc_hz(), cycles;

	rate = hz;
	period_us = (1000000 + hz / 2) / hz;
	cycles = period_us * cycles_hz;
	div64(&cycles, 1000000);
	mean = (uint32_t)cycles;
	slack = mean / 64 + (uint32_t)(cycles_hz * SLACK_US / 1000000);
	longest = (uint32_t)(cycles_hz * (timer->max_ns / 1000) / 1000000);
}

/* Who interrupts whom, with timer t. */
static void set_timer(const struct timer *t)
{
	int i;

	timer = t;
	for (i = 0; i < MAXCPU; i++) {
		struct profclock *c = &clocks[i];

		clock_of[i] = c;
		c->relayed = !t->percpu && i > 0;
		c->passes = !t->percpu && i == 0 && ncpu > 1;
		c->arm = c->passes ? arm_and_pass : t->arm_cycles;
		c->seen = points;
		c->due = NONE;
		c->piece = NONE;
		c->random = SEED + (uint32_t)i * SEED_STEP;
	}
	set_rate(PROFCLOCK_HZ);
}

/*
 * Have the timer deliver in this way, or go on as before if it cannot. The handlers are set
 * last, for a trial of the timer may have replaced them. Nothing may interrupt that trial.
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
	irq_restore(flags);
	return err;
}

void profclock_init(const struct timer *t, const char *delivery)
{
	mutex_lock(&lock);
	set_timer(t);
	by_nmi = false;
	if (strcmp(delivery, "irq") != 0 && set_delivery(true) != 0)
		printk("profclock: %s cannot deliver by NMI\n", t->name);
	if (!by_nmi && set_delivery(false) != 0)
		panic("the profiling clock cannot interrupt");
	start_if_held();
	mutex_unlock(&lock);
	printk("profclock: %s, %s, %u Hz\n", t->name, by_nmi ? "nmi" : "irq", rate);
}

void profclock_hold(void)
{
	mutex_lock(&lock);
	if (holders++ == 0)
		start_if_held();
	mutex_unlock(&lock);
}

void profclock_release(void)
{
	mutex_lock(&lock);
	if (--holders == 0)
		stop();
	mutex_unlock(&lock);
}

int profclock_hz(unsigned hz)
{
	if (hz < PROFCLOCK_HZ_MIN || hz > PROFCLOCK_HZ_MAX)
		return -EINVAL;
	mutex_lock(&lock);
	stop();
	set_rate(hz);
	start_if_held();
	mutex_unlock(&lock);
	return 0;
}

int profclock_delivery(bool nmi)
{
	int err;

	mutex_lock(&lock);
	stop();
	err = set_delivery(nmi);
	start_if_held();
	mutex_unlock(&lock);
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
	int i;

	mutex_lock(&lock);
	*st = (struct profclock_status){
		.source = timer->name,
		.delivery = by_nmi ? "nmi" : "irq",
		.hz = rate,
		.period_us = period_us,
	};
	for (i = 0; i < ncpu; i++) {
		st->cpu[i].ticks = read_counter(&clocks[i].ticks);
		st->cpu[i].lost = read_counter(&clocks[i].lost);
		st->ticks += st->cpu[i].ticks;
		st->lost += st->cpu[i].lost;
		st->strays += clocks[i].strays;
	}
	mutex_unlock(&lock);
}
