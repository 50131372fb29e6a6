/* The system clock. Whether a tick of it ends a time slice sched.c decides; wait.c ends sleeps. */
#include "kernel/sched/clock.h"
#include "kernel/machine/time.h"
#include "kernel/machine/trap.h"
#include "kernel/sched/call.h"
#include "kernel/sched/sched.h"
#include "kernel/sched/wait.h"

#define TICK_NS (1000000000u / HZ)
#define STARVED_NS (4 * (int64_t)TICK_NS)
#define HASH 0x9e3779b9u /* hashes a time into a random part of a tick */

static const struct timer *own, *spare; /* constant after clock_start() */
static const struct timer *timer;	/* one of them; set by clock_lend() and clock_take_back() */
static uint64_t ticks;			/* written by CPU 0 alone */

/* Have this CPU's timer, t, interrupt at that time, in at most two ticks; at once if it is past. */
static void arm_at(const struct timer *t, uint64_t at)
{
	uint64_t now = time_ns(), cycles = 0;

	if (at > now)
		cycles = (at - now) * time_tsc_khz();
	div64(&cycles, 1000000);
	t->arm((uint32_t)cycles);
}

/* Have it interrupt at this CPU's next tick, or when its first sleeper is to wake before that. */
static void arm_next(const struct cpu *c)
{
	uint64_t at = c->next_tick;

	if (c->wake_at < at)
		at = c->wake_at;
	arm_at(timer, at);
}

/*
 * Have this CPU's own timer interrupt at the deadline of a sleeper, interrupts off, unless it ticks
 * before. Where CPU 0 passes ticks on, the sleepers of the others wake at its next one.
 */
void clock_wake_at(uint64_t deadline)
{
	struct cpu *c = cpu_self();
	const struct timer *t = timer; /* it may be lent meanwhile, but not on this CPU */

	c->wake_at = deadline;
	if (deadline < c->next_tick && (t->percpu || c->id == 0))
		arm_at(t, deadline);
}

/* Return a time for a tick that is out of step with those before, by half a tick from now on. */
static uint64_t out_of_step(uint64_t now)
{
	return now + TICK_NS / 2 + ((uint64_t)TICK_NS * ((uint32_t)now * HASH) >> 32);
}

/*
 * Have this CPU's timer interrupt at its next tick, TICK_NS after the last. A tick that is late
 * by half of that begins a new timeline, out of step with the old one: an emulator that runs CPUs
 * in turn may give this one just the turns in which its tick is due, and each would be spent
 * here. So what is armed for always lies ahead, by half a tick at least. Nor is it before what all
 * others are armed for, which would end the turn at once: that is never so where all tick in time.
 */
static void arm(struct cpu *c, uint64_t now)
{
	/* What is later than the most is just being written; the first is the others' next tick. */
	uint64_t most = now + 2 * TICK_NS, first = most;

	for (unsigned i = 0; i < ncpu; i++)
		if (cpus[i] != c && cpus[i]->next_tick > now && cpus[i]->next_tick < first)
			first = cpus[i]->next_tick;
	c->next_tick += TICK_NS;
	if (now + TICK_NS / 2 > c->next_tick)
		c->next_tick = out_of_step(now);
	if (c->next_tick < first && first < most)
		c->next_tick = first + 1000; /* 1 us later */
	arm_next(c);
}

/* Return whether this CPU's tick is due; its timer may have interrupted for another reason. */
static bool due(const struct cpu *c, uint64_t now)
{
	if (!timer->percpu && c->id != 0)
		return false;
	if (now + TICK_NS / 16 >= c->next_tick)
		return true;
	arm_next(c);
	return false;
}

/*
 * Have an emulator that runs CPUs in turn give all of them one, if a CPU seems to get none. QEMU
 * before 8.1 lets each run until a timer is due, and the next one not at all then; whoever arms a
 * timer that is due before all others ends its turn, and each of the others has one. It is armed
 * for a time at random, for that of other timers may be the same from tick to tick.
 */
static void take_turns(uint64_t now)
{
	for (unsigned i = 0; i < ncpu; i++)
		if ((int64_t)(now - cpus[i]->ticked) > STARVED_NS) {
			arm_at(timer, now + ((uint32_t)now * HASH >> 11)); /* up to 2 ms */
			return;
		}
}

/*
 * Handle a tick of the system clock: from this CPU's timer, or passed on by CPU 0, which also
 * does what is done once a tick.
 */
static void clock_intr(struct trapframe *tf)
{
	struct cpu *c = cpu_self();
	uint64_t now = time_ns();

	c->interrupts++;
	irqchip->eoi();
	c->ticked = now;
	if (tf->vector == VEC_CLOCK) {
		sched_wake(now);
		if (!due(c, now))
			return;
		take_turns(now);
		arm(c, now);
	}
	sched_slice();
	if (c->id != 0)
		return;
	ticks++;
	if (!timer->percpu && ncpu > 1)
		irqchip->ipi_others(VEC_TICK);
	sched_tick(now);
	print_tick(now);
}

/*
 * Interrupt this CPU HZ times a second from now on, and go on where another timer left off. A
 * timer that is not each CPU's own interrupts CPU 0, which passes the tick on.
 */
void clock_join(void *)
{
	struct cpu *c = cpu_self();
	uint64_t now = time_ns();

	if (c->id != 0 && !timer->percpu)
		return;
	if (timer->deliver(VEC_CLOCK) != 0)
		lacking("no system clock: the %s cannot interrupt", timer->name);
	if (c->next_tick == 0) {
		c->next_tick = now + TICK_NS;
		c->wake_at = NEVER;
	} else if (c->next_tick <= now && c->id != 0) {
		c->next_tick = out_of_step(now);
	}
	arm_next(c);
}

/* Leave this CPU's own timer to the profiling clock: on each CPU, by one cpus_call(). */
void clock_lend(void)
{
	timer = spare;
	clock_join(NULL);
}

/* Take the CPUs' own timers back. */
void clock_take_back(void)
{
	spare->disarm();
	timer = own;
	cpus_call(clock_join, NULL);
}

/* Start the system clock with the CPUs' own timers, and with another for when they are lent. */
void clock_start(const struct timer *t, const struct timer *other)
{
	own = timer = t;
	spare = other;
	trap_set(VEC_CLOCK, clock_intr);
	trap_set(VEC_TICK, clock_intr);
	clock_join(NULL);
	printk("clock: %s, %d Hz\n", t->name, HZ);
}

/* Return the system clock's ticks since it was started. */
uint64_t clock_ticks(void)
{
	return ticks;
}
