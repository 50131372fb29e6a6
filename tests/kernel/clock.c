/*
 * The system clock (C2, C17), kernel/sched/clock.c: for when each tick arms the next, and what a
 * tick does. What becomes of that on CPUs that run in turn is tried by
 * tests/drivers/clocksinturn.c.
 * World: cpus
 */
#include "tests/kernel/cpus.h"
#include "kernel/machine/lib.h"
struct trapframe {
	uint32_t vector;
};
#include "kernel/sched/clock.c"
#undef sched_yield

#define MS 1000000u
#define KHZ 2000000u /* two cycles are a nanosecond */
#define NOW (1000 * MS)
#define NCPU 3

static struct cpu machine[NCPU];
struct cpu *cpus[MAXCPU] = {&machine[0], &machine[1], &machine[2]};
unsigned ncpu;
const struct irqchip *irqchip;

static uint64_t now;
static trap_fn *handler[256];
static unsigned eois, relayed, slices, scheduled, printed;
static unsigned slept; /* cpus_call() */
static unsigned woken;
static uint64_t sleeps_until; /* the first who is left after that */
static jmp_buf lacked;

/* What was armed so far, in ns, and of which timer. */
static struct armed {
	char timer;
	unsigned cpu;
	uint32_t ns;
} armed[8];
static unsigned narmed, disarmed, delivered;
static int delivers; /* what deliver() returns */

static void armed_for(char which, uint32_t cycles)
{
	assert_true(narmed < nelem(armed));
	assert_int_equal(cycles % 2, 0);
	armed[narmed++] = (struct armed){which, self->id, cycles / 2};
}

static void arm_own(uint32_t cycles)
{
	armed_for('o', cycles);
}

static void arm_other(uint32_t cycles)
{
	armed_for('s', cycles);
}

static void disarm(void)
{
	disarmed++;
}

static int deliver(unsigned vector)
{
	assert_int_equal(vector, VEC_CLOCK);
	delivered++;
	return delivers;
}

static const struct timer each = {
	.name = "each", .percpu = true, .arm = arm_own, .disarm = disarm, .deliver = deliver,
};
static const struct timer one = {
	.name = "one", .arm = arm_other, .disarm = disarm, .deliver = deliver,
};

uint64_t time_ns(void)
{
	return now;
}

uint32_t time_tsc_khz(void)
{
	return KHZ;
}

uint32_t div64(uint64_t *n, uint32_t by)
{
	uint32_t rest = (uint32_t)(*n % by);

	*n /= by;
	return rest;
}

void trap_set(unsigned vector, trap_fn *fn)
{
	handler[vector] = fn;
}

void printk(const char *fmt, ...)
{
}

void lacking(const char *fmt, ...)
{
	longjmp(lacked, 1);
}

void sched_slice(void)
{
	slices++;
}

void sched_tick(uint64_t at)
{
	assert_int_equal(at, now);
	scheduled++;
}

void sched_wake(uint64_t at)
{
	assert_int_equal(at, now);
	self->wake_at = sleeps_until;
	woken++;
}

void print_tick(uint64_t at)
{
	assert_int_equal(at, now);
	printed++;
}

static void eoi(void)
{
	eois++;
}

static void ipi_others(unsigned vector)
{
	assert_int_equal(vector, VEC_TICK);
	relayed++;
}

static const struct irqchip chip = {.eoi = eoi, .ipi_others = ipi_others};

/* Be on that CPU. */
static void on(unsigned cpu)
{
	self = &machine[cpu];
}

void cpus_call(void (*fn)(void *), void *arg)
{
	slept++;
	for (unsigned i = 0; i < ncpu; i++) {
		on(i);
		fn(arg);
	}
}

/* A clock of that many CPUs, all of which have ticked just now, and tick again in 10 ms. */
static void start(unsigned n)
{
	ncpu = n;
	now = NOW - 10 * MS;
	delivers = 0;
	irqchip = &chip;
	ticks = 0;
	memset(machine, 0, sizeof(machine));
	sleeps_until = UINT64_MAX;
	for (unsigned i = 0; i < NCPU; i++) {
		machine[i].id = i;
		machine[i].ticked = NOW;
		machine[i].wake_at = UINT64_MAX;
	}
	on(0);
	clock_start(&each, &one);
	for (unsigned i = 1; i < n; i++) {
		on(i);
		clock_join(NULL);
	}
	on(0);
	now = NOW;
	narmed = disarmed = delivered = 0;
	eois = relayed = slices = scheduled = printed = slept = woken = 0;
}

static int setup(void **state)
{
	start(1);
	return 0;
}

static void interrupt(unsigned vector)
{
	struct trapframe tf = {.vector = vector};

	assert_non_null(handler[vector]);
	handler[vector](&tf);
}

/* Check what was armed last, and forget it. */
static void assert_armed(char which, uint32_t ns)
{
	assert_int_equal(narmed, 1);
	assert_int_equal(armed[0].timer, which);
	assert_int_equal(armed[0].cpu, self->id);
	assert_int_equal(armed[0].ns, ns);
	narmed = 0;
}

static void a_tick_in_time_arms_the_next(void **state)
{
	assert_int_equal(machine[0].next_tick, NOW);
	interrupt(VEC_CLOCK);
	assert_armed('o', 10 * MS);
	assert_int_equal(machine[0].next_tick, NOW + 10 * MS);
	assert_int_equal(machine[0].ticked, NOW);
	assert_int_equal(machine[0].interrupts, 1);
	assert_int_equal(eois, 1);
	assert_int_equal(slices, 1);
	assert_int_equal(scheduled, 1);
	assert_int_equal(printed, 1);
	assert_int_equal(relayed, 0);
	assert_int_equal(clock_ticks(), 1);
}

/* It goes on in step, until it is late by half a tick. */
static void a_late_tick_does_not_move_the_next(void **state)
{
	now = NOW + 5 * MS;
	interrupt(VEC_CLOCK);
	assert_armed('o', 5 * MS);
	assert_int_equal(machine[0].next_tick, NOW + 10 * MS);
}

static void one_that_is_later_begins_anew_out_of_step(void **state)
{
	uint32_t least = UINT32_MAX, most = 0;

	for (unsigned i = 0; i < 1000; i++) {
		machine[0].next_tick = NOW;
		now = NOW + 5 * MS + 1 + i * 1009;
		interrupt(VEC_CLOCK);
		assert_int_equal(machine[0].next_tick, now + armed[0].ns);
		if (armed[0].ns < least)
			least = armed[0].ns;
		if (armed[0].ns > most)
			most = armed[0].ns;
		narmed = 0;
	}
	assert_in_range(least, 5 * MS, 5 * MS + MS / 10);
	assert_in_range(most, 15 * MS - MS / 10, 15 * MS);
}

/* What is left in a timer of when it was the profiling clock's is no tick. */
static void an_interrupt_before_its_time_is_no_tick(void **state)
{
	machine[0].next_tick = NOW + 10 * MS / 16 + 1;
	interrupt(VEC_CLOCK);
	assert_armed('o', 10 * MS / 16 + 1);
	assert_int_equal(slices + scheduled + printed, 0);
	assert_int_equal(clock_ticks(), 0);
	assert_int_equal(eois, 1);

	machine[0].next_tick = NOW + 10 * MS / 16;
	interrupt(VEC_CLOCK);
	assert_armed('o', 10 * MS + 10 * MS / 16);
	assert_int_equal(clock_ticks(), 1);
}

/* It would end the turn of whoever arms it at once: QEMU before 8.1 runs CPUs in turn. */
static void no_tick_is_armed_for_before_all_others(void **state)
{
	static const struct {
		int32_t others[NCPU - 1], mine; /* ns from now */
		int32_t armed;
	} cases[] = {
		{{12 * MS, 14 * MS}, 0, 12 * MS + 1000},
		{{14 * MS, 12 * MS}, 0, 12 * MS + 1000},
		{{9 * MS, 14 * MS}, 0, 10 * MS},
		{{10 * MS, 14 * MS}, 0, 10 * MS},
		{{12 * MS, -1}, 0, 12 * MS + 1000}, /* a tick that is overdue does not count */
		{{12 * MS, 0}, 0, 12 * MS + 1000},
		{{-1, -1}, 0, 10 * MS},
		{{20 * MS, 20 * MS}, 0, 10 * MS}, /* nor one that is just being written */
		{{20 * MS - 1, 20 * MS}, 0, 20 * MS + 999},
		{{6 * MS, 8 * MS}, -5 * (int32_t)MS, 6 * MS + 1000}, /* its own is late */
	};

	for (size_t i = 0; i < nelem(cases); i++) {
		start(NCPU);
		on(1);
		machine[0].next_tick = NOW + (uint64_t)(int64_t)cases[i].others[0];
		machine[1].next_tick = NOW + (uint64_t)(int64_t)cases[i].mine;
		machine[2].next_tick = NOW + (uint64_t)(int64_t)cases[i].others[1];
		interrupt(VEC_CLOCK);
		assert_armed('o', (uint32_t)cases[i].armed);
		assert_int_equal(machine[1].next_tick, NOW + (uint32_t)cases[i].armed);
		assert_int_equal(slices, 1);
		assert_int_equal(scheduled + printed, 0); /* CPU 0 does that */
		assert_int_equal(clock_ticks(), 0);
	}
}

/* Who has had no tick for more than four has no turns, and is given one within 2 ms. */
static void a_cpu_without_ticks_is_given_a_turn(void **state)
{
	uint32_t most = 0;

	start(NCPU);
	machine[2].ticked = NOW - 40 * MS;
	interrupt(VEC_CLOCK);
	assert_armed('o', 10 * MS);

	for (unsigned i = 0; i < 100; i++) {
		start(NCPU);
		now += i * 1009;
		machine[2].ticked = now - 40 * MS - 1;
		interrupt(VEC_CLOCK);
		assert_int_equal(narmed, 2);
		assert_true(armed[0].ns < 2100 * 1000);
		assert_int_equal(armed[1].ns, NOW + 10 * MS - now);
		if (armed[0].ns > most)
			most = armed[0].ns;
	}
	assert_true(most > 1900 * 1000);

	start(NCPU); /* CPU 0 may be the one */
	on(1);
	machine[0].ticked = NOW - 40 * MS - 1;
	interrupt(VEC_CLOCK);
	assert_int_equal(narmed, 2);

	start(2); /* the third is not there */
	machine[2].ticked = 0;
	interrupt(VEC_CLOCK);
	assert_armed('o', 10 * MS);
}

/* A timer that is not each CPU's own is CPU 0's, which passes its ticks on. */
static void a_tick_is_passed_on_where_one_cpu_has_it(void **state)
{
	start(NCPU);
	clock_lend();
	assert_int_equal(delivered, 1);
	assert_armed('s', 0); /* it is due */
	interrupt(VEC_CLOCK);
	assert_armed('s', 10 * MS);
	assert_int_equal(relayed, 1);
	assert_int_equal(clock_ticks(), 1);

	on(1);
	machine[1].ticked = 0;
	interrupt(VEC_TICK);
	assert_int_equal(narmed, 0);
	assert_int_equal(slices, 2);
	assert_int_equal(relayed, 1);
	assert_int_equal(scheduled, 1);
	assert_int_equal(clock_ticks(), 1);
	assert_int_equal(machine[1].ticked, NOW);
	assert_int_equal(machine[1].interrupts, 1);

	/* What its lent timer has left is no tick, and it is not armed here. */
	machine[1].next_tick = NOW + 3 * MS;
	interrupt(VEC_CLOCK);
	machine[1].next_tick = NOW;
	interrupt(VEC_CLOCK);
	assert_int_equal(narmed, 0);
	assert_int_equal(slices, 2);
	assert_int_equal(eois, 4);
}

static void alone_it_passes_nothing_on(void **state)
{
	clock_lend();
	narmed = 0;
	interrupt(VEC_CLOCK);
	assert_armed('s', 10 * MS);
	assert_int_equal(relayed, 0);
	assert_int_equal(clock_ticks(), 1);
}

/* Between two ticks a CPU's timer interrupts for its first sleeper, too. */
static void a_sleeper_is_woken_at_its_time(void **state)
{
	start(NCPU);
	machine[1].next_tick = NOW + 10 * MS;
	on(1);
	clock_wake_at(NOW + 10 * MS);
	assert_int_equal(narmed, 0);
	clock_wake_at(NOW + 2 * MS);
	assert_armed('o', 2 * MS);
	clock_wake_at(NOW + MS);
	assert_armed('o', MS);
	clock_wake_at(NOW - MS);
	assert_armed('o', 0);

	now += MS;
	sleeps_until = NOW + 4 * MS;
	interrupt(VEC_CLOCK);
	assert_int_equal(woken, 1);
	assert_armed('o', 3 * MS);
	now += 3 * MS;
	sleeps_until = NOW + 14 * MS;
	interrupt(VEC_CLOCK);
	assert_armed('o', 6 * MS);
	assert_int_equal(slices, 0);
	now += 6 * MS;
	interrupt(VEC_CLOCK);
	assert_int_equal(woken, 3);
	assert_armed('o', 4 * MS);
	assert_int_equal(slices, 1);
	assert_int_equal(machine[1].next_tick, NOW + 20 * MS);
}

/* It is CPU 0's, which wakes the others' sleepers at its ticks. */
static void a_shared_timer_interrupts_for_the_first_cpu_s_sleepers(void **state)
{
	start(NCPU);
	clock_lend();
	machine[0].next_tick = machine[1].next_tick = NOW + 10 * MS;
	narmed = 0;
	clock_wake_at(NOW + MS);
	assert_armed('s', MS);
	on(1);
	clock_wake_at(NOW + MS);
	assert_int_equal(narmed, 0);
}

/* A timer that is taken back, or takes over, interrupts for who sleeps already. */
static void a_sleeper_is_not_forgotten(void **state)
{
	machine[0].next_tick = NOW + 10 * MS;
	clock_wake_at(NOW + 2 * MS);
	narmed = 0;
	clock_lend();
	assert_armed('s', 2 * MS);
	clock_take_back();
	assert_armed('o', 2 * MS);
}

/* Where ticks lie ahead, they are kept; CPU 0's goes on at once, others' begin anew. */
static void timers_are_taken_back(void **state)
{
	start(NCPU);
	clock_lend();
	machine[0].next_tick = NOW;
	machine[1].next_tick = NOW + 1;
	machine[2].next_tick = NOW;
	narmed = delivered = 0;
	clock_take_back();
	assert_int_equal(disarmed, 1);
	assert_int_equal(slept, 1);
	assert_int_equal(delivered, NCPU);
	assert_int_equal(narmed, NCPU);
	for (unsigned i = 0; i < NCPU; i++) {
		assert_int_equal(armed[i].timer, 'o');
		assert_int_equal(armed[i].cpu, i);
	}
	assert_int_equal(armed[0].ns, 0);
	assert_int_equal(armed[1].ns, 1);
	assert_in_range(armed[2].ns, 5 * MS, 15 * MS);
	assert_int_equal(machine[2].next_tick, NOW + armed[2].ns);
}

static void a_cpu_joins_a_tick_after_now(void **state)
{
	machine[1].next_tick = 0;
	on(1);
	clock_join(NULL);
	assert_armed('o', 10 * MS);
	assert_int_equal(machine[1].next_tick, NOW + 10 * MS);

	on(0);
	clock_lend();
	narmed = delivered = 0;
	on(1);
	clock_join(NULL); /* it has no timer now */
	assert_int_equal(narmed + delivered, 0);
}

static void a_timer_that_cannot_interrupt_is_told(void **state)
{
	delivers = -ENOTSUP;
	if (setjmp(lacked) == 0) {
		clock_join(NULL);
		fail_msg("nothing was said");
	}
	assert_int_equal(narmed, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_tick_in_time_arms_the_next, setup),
		cmocka_unit_test_setup(a_late_tick_does_not_move_the_next, setup),
		cmocka_unit_test_setup(one_that_is_later_begins_anew_out_of_step, setup),
		cmocka_unit_test_setup(an_interrupt_before_its_time_is_no_tick, setup),
		cmocka_unit_test(no_tick_is_armed_for_before_all_others),
		cmocka_unit_test(a_cpu_without_ticks_is_given_a_turn),
		cmocka_unit_test(a_tick_is_passed_on_where_one_cpu_has_it),
		cmocka_unit_test_setup(alone_it_passes_nothing_on, setup),
		cmocka_unit_test(a_sleeper_is_woken_at_its_time),
		cmocka_unit_test(a_shared_timer_interrupts_for_the_first_cpu_s_sleepers),
		cmocka_unit_test_setup(a_sleeper_is_not_forgotten, setup),
		cmocka_unit_test(timers_are_taken_back),
		cmocka_unit_test_setup(a_cpu_joins_a_tick_after_now, setup),
		cmocka_unit_test_setup(a_timer_that_cannot_interrupt_is_told, setup),
	};

	return RUN(tests, NULL, NULL);
}
