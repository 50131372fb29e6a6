/*
 * The profiling clock on several CPUs: passed on by CPU 0, or each CPU's own (K2, K8).
 * Links: drivers/clock/profclock.c tests/drivers/shots.c tests/drivers/fakes.c
 */
#include "tests/test.h"
#include "kernel/machine/lib.h"
#include "tests/fakes.h"
#include "tests/drivers/fakes.h"
#include "tests/drivers/shots.h"
#include "kernel/abi/errno.h"
#include "kernel/machine/trap.h"
#include "kernel/sched/clock.h"
#include "kernel/sched/wait.h"

/* CPU 0's shot, which sends one message to all the others. */
static void pass_tick(void)
{
	unsigned before = nmis + ipis;

	tick(0);
	assert_int_equal(nmis + ipis, before + 1);
}

/* What a CPU has been given and denied since the status `from`. */
static uint64_t ticks_since(const struct shots_status *from, unsigned cpu)
{
	return status().cpu[cpu].ticks - from->cpu[cpu].ticks;
}

static uint64_t lost_since(const struct shots_status *from, unsigned cpu)
{
	return status().cpu[cpu].lost - from->cpu[cpu].lost;
}

static void k2_a_shared_timer_reaches_every_cpu(void **state)
{
	struct shots_status from, to;
	unsigned k, cpu, before[MAXCPU];

	begin_on(4, &fake_timer, 1000000000, 1000);
	from = status();
	memcpy(before, statclocks, sizeof before);
	for (k = 0; k < 1000; k++) {
		pass_tick();
		for (cpu = 1; cpu < 4; cpu++) {
			assert_true(interrupt(cpu));
			assert_true(shots[cpu] == NEVER); /* there is but one timer */
		}
	}
	for (cpu = 0; cpu < 4; cpu++) {
		assert_int_equal(statclocks[cpu] - before[cpu], 1000);
		assert_int_equal(ticks_since(&from, cpu), 1000);
		assert_int_equal(lost_since(&from, cpu), 0);
	}
	to = status();
	assert_int_equal(to.ticks - from.ticks, 4000);
	assert_int_equal(to.lost, from.lost);
	finish();
}

static void one_cpu_sends_no_message(void **state)
{
	unsigned before = nmis + ipis;

	begin(1000000000, 1000);
	tick(0);
	tick(5000000);
	assert_int_equal(nmis + ipis, before);
	finish();
}

/* Two messages that became one are a tick and a lost one; a foreign NMI is nothing. */
static void messages_that_merge_are_lost_ticks(void **state)
{
	struct shots_status from;

	begin_on(3, &fake_timer, 1000000000, 1000);
	from = status();
	assert_false(interrupt(1));
	pass_tick();
	assert_true(interrupt(1));
	assert_false(interrupt(1));
	pass_tick();
	pass_tick();
	pass_tick();
	assert_true(interrupt(1));
	assert_false(interrupt(1));
	assert_int_equal(ticks_since(&from, 1), 2);
	assert_int_equal(lost_since(&from, 1), 2);
	assert_int_equal(ticks_since(&from, 2), 0); /* it has not noticed any of them yet */
	assert_true(interrupt(2));
	assert_int_equal(ticks_since(&from, 2), 1);
	assert_int_equal(lost_since(&from, 2), 3);
	finish();
	/* The last message may come after the end, when its tick has been counted as lost. */
	begin_on(3, &fake_timer, 1000000000, 1000);
	from = status();
	pass_tick();
	finish();
	assert_false(interrupt(2));
	assert_int_equal(ticks_since(&from, 2), 0);
	assert_int_equal(lost_since(&from, 2), 1);
}

/* C20: every window, however short, has all of its points and none of the window before it. */
static void c20_no_point_moves_to_the_next_window(void **state)
{
	struct shots_status from, to;

	begin_on(4, &fake_timer, 1000000000, 20000);
	for (unsigned k = 0; k < 300; k++) {
		from = status();
		for (unsigned n = k % 5; n > 0; n--)
			tick(k % 3 * 70000);
		if (k % 2)
			interrupt(1 + k % 3);
		tsc += k % 7 * 30000; /* points go by that no tick was armed for */
		finish();
		to = status();
		for (unsigned cpu = 1; cpu < 4; cpu++)
			assert_int_equal(ticks_since(&from, cpu) + lost_since(&from, cpu),
					 to.cpu[0].ticks + to.cpu[0].lost -
						 from.cpu[0].ticks - from.cpu[0].lost);
		for (unsigned cpu = 1; cpu < 4; cpu++)
			assert_false(interrupt(cpu));
		fake_logged(""); /* or the log is full */
		begin_on(4, &fake_timer, 1000000000, 20000);
	}
	finish();
}

/* What is lost for the CPU that has the timer is lost for all. */
static void k8_every_cpu_has_every_point(void **state)
{
	struct shots_status from;
	uint64_t all;
	unsigned k, cpu;

	begin_on(4, &fake_timer, 1000000000, 1000);
	from = status();
	for (k = 0; k < 20000; k++) {
		tick(k % 7 == 0 ? 3500000 : 0);
		for (cpu = 1; cpu < 4; cpu++)
			if (k % (cpu + 4) != 0)
				interrupt(cpu);
	}
	tick(0);
	all = ticks_since(&from, 0) + lost_since(&from, 0);
	assert_true(lost_since(&from, 0) > 0);
	for (cpu = 1; cpu < 4; cpu++) {
		assert_true(interrupt(cpu));
		assert_int_equal(ticks_since(&from, cpu) + lost_since(&from, cpu), all);
		assert_true(lost_since(&from, cpu) > lost_since(&from, 0));
	}
	finish();
}

static void k8_each_cpu_has_its_own_timeline(void **state)
{
	enum { CPUS = 4, SECONDS = 10 };
	struct shots_status from;
	uint64_t start, first[CPUS];
	unsigned cpu, next, same = 0;

	begin_on(CPUS, &percpu_timer, 1000000000, 1000);
	from = status();
	start = tsc;
	for (cpu = 0; cpu < CPUS; cpu++) {
		first[cpu] = shots[cpu];
		for (next = 0; next < cpu; next++)
			same += first[next] == first[cpu];
	}
	assert_int_equal(same, 0);
	while (tsc < start + SECONDS * shots_hz) {
		for (cpu = 0, next = 0; cpu < CPUS; cpu++)
			if (shots[cpu] < shots[next])
				next = cpu;
		assert_true(shot_on(next, 0));
	}
	for (cpu = 0; cpu < CPUS; cpu++) {
		assert_in_range(ticks_since(&from, cpu), SECONDS * 1000 - 9, SECONDS * 1000 + 9);
		assert_int_equal(lost_since(&from, cpu), 0);
	}
	/* One that sleeps through a part of it loses that part, and nobody else does. */
	from = status();
	assert_true(shot_on(2, 50500000));
	assert_in_range(lost_since(&from, 2), 40, 60);
	assert_int_equal(lost_since(&from, 1), 0);
	finish();
	for (cpu = 0; cpu < CPUS; cpu++)
		assert_true(shots[cpu] == NEVER);
}

/* Rate and delivery change on every CPU, while the clock runs. */
static void changes_reach_every_cpu(void **state)
{
	static const struct timer *const timers[] = {&fake_timer, &percpu_timer};
	unsigned i, cpu, messages;

	for (i = 0; i < nelem(timers); i++) {
		bool each = timers[i]->percpu;

		begin_on(8, timers[i], 1000000000, 1000);
		fake_cpu = 5; /* whoever asks for it */
		assert_int_equal(profclock_hz(20000), 0);
		for (cpu = 0; cpu < (each ? 8 : 1); cpu++)
			assert_in_range(shots[cpu] - tsc, 1, 75002);
		for (cpu = 0; cpu < (each ? 8 : 1); cpu++) {
			assert_true(shot_on(cpu, 0));
			assert_in_range(shots[cpu] - tsc, 24998, 75002);
		}
		fake_cpu = 5;
		assert_int_equal(profclock_delivery(false), 0);
		assert_int_equal(vector, VEC_PROF);
		messages = ipis;
		for (cpu = 0; cpu < (each ? 8 : 1); cpu++)
			assert_true(shot_on(cpu, 0));
		assert_int_equal(ipis - messages, each ? 0 : 1);
		for (cpu = 1; cpu < (each ? 1 : 8); cpu++)
			assert_true(interrupt(cpu));
		fake_cpu = 5;
		finish();
		fake_cpu = 0;
		for (cpu = 0; cpu < 8; cpu++)
			assert_true(shots[cpu] == NEVER);
	}
}

static void each_timer_is_told_how_to_interrupt(void **state)
{
	unsigned cpu;

	begin_on(3, &percpu_timer, 1000000000, 1000);
	for (cpu = 0; cpu < 3; cpu++)
		assert_int_equal(told[cpu], VEC_NMI);
	assert_int_equal(profclock_delivery(false), 0);
	for (cpu = 0; cpu < 3; cpu++)
		assert_int_equal(told[cpu], VEC_PROF);
	finish();
	nmi_refused = true;
	begin_on(3, &percpu_timer, 1000000000, 1000);
	assert_int_equal(profclock_delivery(true), -EOPNOTSUPP);
	nmi_refused = false;
	for (cpu = 0; cpu < 3; cpu++)
		assert_int_equal(told[cpu], VEC_PROF);
	finish();
}

/* The CPUs' own timers are borrowed from the system clock, and only while this clock runs. */
static void c3_timers_are_given_back(void **state)
{
	unsigned n;

	begin_on(2, &percpu_timer, 1000000000, 1000);
	assert_true(lent);
	assert_true(fake_logged("profclock: each, nmi, 1000 Hz (a test)"));
	finish();
	assert_false(lent);
	n = joins;
	assert_int_equal(profclock_delivery(false), 0); /* which is the system clock's now */
	assert_int_equal(joins, n);
	begin_on(2, &fake_timer, 1000000000, 1000);
	assert_false(lent);
	finish();
	assert_int_equal(joins, n);
}

/* Choose how a timer interrupts, which is not to be done while it is armed (struct timer). */
static int deliver_disarmed(unsigned v)
{
	assert_true(shots[fake_cpu] == NEVER);
	return percpu_timer.deliver(v);
}

/* What the system clock had armed the CPUs' timers for does not interrupt as this clock's. */
static void c21_what_was_armed_before_is_no_stray(void **state)
{
	static struct timer strict;

	strict = percpu_timer;
	strict.deliver = deliver_disarmed;
	begin_on(2, &strict, 1000000000, 1000);
	finish();
	assert_int_equal(profclock_delivery(false), 0);
	shots[0] = shots[1] = tsc + 1;
	profclock_change(1, NULL, NULL);
	for (unsigned cpu = 0; cpu < 2; cpu++)
		assert_true(shots[cpu] != NEVER && shots[cpu] != tsc + 1);
	finish();
	assert_int_equal(status().strays, 0);
}

static unsigned delivered; /* how often a timer was told since */
static bool rearmed;

/* When CPU 1 starts anew, by vector, CPU 0 has not yet, and an NMI of its timer's comes. */
static int deliver_late(unsigned v)
{
	struct trapframe tf = {.vector = VEC_NMI};
	int err = percpu_timer.deliver(v);
	unsigned was = fake_cpu;

	if (++delivered == 2) {
		fake_cpu = 0;
		shots[0] = NEVER;
		fake_trap[VEC_NMI](&tf);
		rearmed = shots[0] != NEVER;
		fake_cpu = was;
	}
	return err;
}

/* While the clock stands still, an NMI of CPU 0's timer comes. */
static void interrupt_late(void *arg)
{
	shots[0] = NEVER;
	assert_false(interrupt(0));
	rearmed = shots[0] != NEVER;
}

/*
 * While the clock stands still for a change, the CPUs' own timers go on, so that where an emulator
 * runs CPUs in turn the system clock is not the only one: also when NMIs are foreign already.
 */
static void c17_timers_go_on_during_a_change(void **state)
{
	static struct timer late;

	late = percpu_timer;
	late.deliver = deliver_late;
	begin_on(2, &late, 1000000000, 1000);
	delivered = 0;
	assert_int_equal(profclock_delivery(false), 0);
	assert_true(delivered >= 2 && rearmed);
	rearmed = false;
	profclock_change(0, interrupt_late, NULL);
	assert_true(rearmed);
	finish();
}

/* Let that many ticks come after the next point has gone by. Return the wait after the last. */
static uint64_t late_ticks(unsigned n)
{
	while (n-- > 0)
		assert_true(shot(1600000));
	return shots[0] - tsc;
}

/*
 * A CPU all of whose ticks are late may do nothing but handle them, so a pause follows each
 * sixteenth. It is longer each time, up to about the longest for which the timer can be armed. A
 * tick in time ends that, and a CPU that has halted needs none.
 */
static void c17_late_ticks_leave_time_for_work(void **state)
{
	uint64_t least = 2000000;

	begin(1000000000, 1000);
	for (unsigned k = 0; k < 80; k++) {
		assert_true(late_ticks(15) <= 1500002);
		assert_in_range(late_ticks(1), least, 54000000);
		if (least < 32000000)
			least *= 2;
	}
	tick(0);
	tick(0);
	assert_true(late_ticks(15) <= 1500002);
	assert_in_range(late_ticks(1), 2000000, 8000000);
	cpus[0]->halted = true;
	for (unsigned k = 0; k < 32; k++)
		assert_true(late_ticks(1) <= 1500002);
	cpus[0]->halted = false;
	finish();
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(k2_a_shared_timer_reaches_every_cpu, let_go),
		cmocka_unit_test_teardown(one_cpu_sends_no_message, let_go),
		cmocka_unit_test_teardown(messages_that_merge_are_lost_ticks, let_go),
		cmocka_unit_test_teardown(c20_no_point_moves_to_the_next_window, let_go),
		cmocka_unit_test_teardown(k8_every_cpu_has_every_point, let_go),
		cmocka_unit_test_teardown(k8_each_cpu_has_its_own_timeline, let_go),
		cmocka_unit_test_teardown(changes_reach_every_cpu, let_go),
		cmocka_unit_test_teardown(each_timer_is_told_how_to_interrupt, let_go),
		cmocka_unit_test_teardown(c3_timers_are_given_back, let_go),
		cmocka_unit_test_teardown(c21_what_was_armed_before_is_no_stray, let_go),
		cmocka_unit_test_teardown(c17_timers_go_on_during_a_change, let_go),
		cmocka_unit_test_teardown(c17_late_ticks_leave_time_for_work, let_go),
	};

	return RUN(tests, NULL, NULL);
}
