/*
 * The profiling clock over a simulated timer and cycle counter (K8, design decision 4).
 * Links: drivers/clock/profclock.c tests/drivers/shots.c tests/drivers/fakes.c
 */
#include <math.h>
#include <signal.h>
#include <ucontext.h>
#include "tests/drivers/fakes.h"
#include "tests/drivers/shots.h"
#include "drivers/clock/turns.h"
#include "kernel/abi/errno.h"
#include "kernel/sched/wait.h"
#include "prof/prof_block.h"

static void k8_mean_period_is_exact(void **state)
{
	static const struct {
		uint64_t tsc_hz;
		unsigned hz;
	} cases[] = {
		{1000000000, 1000}, {1000000000, 20000}, {2593905123, 1000}, {50000000, 997},
		{3999999999, 10}, {4000000, 100}, {4000000, 2000},
	};
	unsigned i, k, n = 1000000;

	for (i = 0; i < nelem(cases); i++) {
		uint64_t from;
		double mean, want, off;

		begin(cases[i].tsc_hz, cases[i].hz);
		want = status().period_us * 1e-6 * (double)shots_hz;
		tick(0);
		for (k = 0, from = tsc; k < n; k++)
			tick(0);
		mean = (double)(tsc - from) / n;
		off = fabs(mean - want);
		if (off > 0.6 && off > want * 0.0001) /* cycles are whole */
			fail_msg("case %u: mean %f cycles, not %f", i, mean, want);
		finish();
	}
}

/* Chance must not add up: at no time in a long run is the clock off by more than some periods. */
static void k8_timeline_does_not_drift(void **state)
{
	uint64_t from;
	int64_t off, most = 0;
	unsigned k;

	begin(1000000000, 1000);
	for (k = 1, from = tsc; k <= 100000; k++) {
		tick(0);
		off = (int64_t)(tsc - from) - (int64_t)k * 1000000;
		if (off < 0)
			off = -off;
		if (off > most)
			most = off;
	}
	assert_in_range(most, 0, 9 * 1000000);
	finish();
}

static void draws_are_even_from_half_to_one_and_a_half(void **state)
{
	enum { BINS = 100, N = 1000000 };
	static unsigned bins[BINS];
	double chi2 = 0, want = (double)N / BINS;
	uint64_t last;
	unsigned k;

	memset(bins, 0, sizeof bins);
	begin(1000000000, 1000);
	tick(0);
	for (k = 0; k < N; k++) {
		int64_t length;

		last = tsc;
		tick(0);
		length = (int64_t)(tsc - last);
		if (length < 500000 - 2 || length > 1500000 + 2)
			fail_msg("a period of %ld cycles", (long)length);
		length = length < 500000 ? 500000 : length > 1499999 ? 1499999 : length;
		bins[(length - 500000) / (1000000 / BINS)]++;
	}
	for (k = 0; k < BINS; k++)
		chi2 += (bins[k] - want) * (bins[k] - want) / want;
	if (chi2 > 148.2) /* 99.9 % point with 99 degrees of freedom */
		fail_msg("chi-square %f", chi2);
	finish();
}

/* Where in a fixed cycle the ticks fall: everywhere alike, at any cycle near the period. */
static void ticks_are_in_step_with_nothing(void **state)
{
	static const unsigned cycle[] = {1000000, 2000000, 500000, 32000000, 16000000, 10000000};
	enum { BINS = 50, N = 200000 };
	unsigned i, k, bins[BINS];

	for (i = 0; i < nelem(cycle); i++) {
		double chi2 = 0, want = (double)N / BINS;

		memset(bins, 0, sizeof bins);
		begin(1000000000, 1000);
		for (k = 0; k < N; k++) {
			tick(0);
			bins[tsc % cycle[i] / (cycle[i] / BINS)]++;
		}
		for (k = 0; k < BINS; k++)
			chi2 += (bins[k] - want) * (bins[k] - want) / want;
		/* Far beyond the 99.9 % point with 49: neighbours are not independent. */
		if (chi2 > 120)
			fail_msg("cycle of %u: chi-square %f", cycle[i], chi2);
		finish();
	}
}

static void late_ticks_do_not_move_the_timeline(void **state)
{
	uint64_t from;
	unsigned k;

	begin(1000000000, 1000);
	from = tsc;
	for (k = 0; k < 10000; k++)
		tick(k * 7919 % 400000); /* up to 0.4 ms: never past the next one */
	assert_in_range(tsc - from, 10000000000 - 9000000, 10000000000 + 9000000);
	finish();
}

static void ticks_that_never_came_are_lost_and_make_no_burst(void **state)
{
	struct shots_status a, b;
	uint64_t late[] = {3000000, 123456789, 5000000000, 100000000000}, from;
	unsigned i;

	for (i = 0; i < nelem(late); i++) {
		begin(1000000000, 1000);
		tick(0);
		a = status();
		from = tsc;
		assert_true(shot(late[i]));
		b = status();
		assert_int_equal(b.ticks - a.ticks, 1);
		assert_in_range(b.lost - a.lost + 10, (tsc - from) / 1000000,
				(tsc - from) / 1000000 + 20);
		/* What is armed now lies ahead, by no more than a period. */
		assert_in_range(shots[0] - tsc, 1, 1500000 + 30000);
		finish();
	}
}

static void every_point_is_a_tick_or_lost(void **state)
{
	struct shots_status a, b;
	uint64_t from, points;
	unsigned k;

	begin(2593905123, 5000);
	tick(0);
	a = status();
	from = tsc;
	for (k = 0; k < 200000; k++)
		tick(k * 7919 % 1000 == 0 ? 40000000 : 0);
	tick(0);
	b = status();
	points = b.ticks - a.ticks + b.lost - a.lost;
	assert_true(b.lost > a.lost);
	assert_in_range(points, (tsc - from) / (2593905123 / 5000) - 9,
			(tsc - from) / (2593905123 / 5000) + 9);
	finish();
}

/* C20: every point is taken or lost, however late its tick is. */
static void C20_a_late_point_is_taken_or_lost(void **state)
{
	for (uint64_t late = 0; late < 3000000; late += 50000) {
		struct shots_status a, b;
		uint64_t from, periods;

		begin(1000000000, 1000);
		tick(0);
		a = status();
		from = tsc;
		for (unsigned k = 0; k < 1000; k++)
			tick(late);
		tick(0);
		b = status();
		periods = (tsc - from) / 1000000;
		if (b.ticks - a.ticks + b.lost - a.lost + 10 - periods > 20)
			fail_msg("each late by %lu: %lu taken and %lu lost in %lu periods",
				 (unsigned long)late, (unsigned long)(b.ticks - a.ticks),
				 (unsigned long)(b.lost - a.lost), (unsigned long)periods);
		finish();
		fake_logged(""); /* or the log is full */
	}
}

/* Points that have gone by when the clock is stopped are lost, whether or not a tick comes yet. */
static void C5_points_before_the_stop_are_lost(void **state)
{
	struct shots_status a, b;

	begin(1000000000, 1000);
	tick(0);
	a = status();
	tsc += 1000000000;
	profclock_change(-1, NULL, NULL);
	b = status();
	assert_int_equal(b.ticks, a.ticks);
	assert_in_range(b.lost - a.lost, 1000 - 9, 1000 + 9);
	profclock_change(1, NULL, NULL);
	assert_true(shots[0] - tsc <= 1500000);
	tsc = shots[0]; /* a point that is due right now */
	a = status();
	profclock_change(-1, NULL, NULL);
	assert_int_equal(status().lost, a.lost + 1);
	profclock_change(1, NULL, NULL);
	finish();
}

static void long_periods_go_in_pieces(void **state)
{
	struct shots_status a = {0}, b;
	uint64_t last = 0;
	unsigned k, count = 0;

	begin(1000000000, 10);
	tick(0);
	a = status();
	for (k = 0; k < 1000; k++) {
		last = tsc;
		do
			count++;
		while (!shot(0));
		assert_in_range(tsc - last, 50000000 - 2000, 150000000 + 2000);
	}
	b = status();
	assert_int_equal(b.ticks - a.ticks, 1000);
	assert_int_equal(b.lost, a.lost);
	assert_int_equal(b.strays, a.strays);
	assert_true(count > 1500);
	finish();
}

static void a_foreign_nmi_is_no_tick_and_stops_nothing(void **state)
{
	struct trapframe tf = {.vector = VEC_NMI};
	struct shots_status a, b;
	uint64_t due;
	unsigned k;

	begin(1000000000, 1000);
	tick(0);
	due = shots[0];
	a = status();
	tsc += 100000;
	fake_trap[VEC_NMI](&tf);
	b = status();
	assert_int_equal(b.ticks, a.ticks);
	assert_int_equal(b.strays, a.strays + 1);
	assert_in_range(shots[0], due - 2, due + 2);
	finish();
	for (k = 0; k < 100; k++) { /* whatever the cycle counter says */
		tsc += 77777777;
		fake_trap[VEC_NMI](&tf);
		assert_int_equal(status().ticks, b.ticks);
		assert_true(shots[0] == NEVER);
	}
}

/* C21: by vector an NMI is somebody else's, even when a point has gone by or in a tick. */
static void c21_by_vector_no_nmi_is_a_tick(void **state)
{
	struct trapframe tf = {.vector = VEC_NMI};
	struct shots_status a, b;
	unsigned before;

	begin(1000000000, 1000);
	assert_int_equal(profclock_delivery(false), 0);
	tick(0);
	a = status();
	before = statclocks[0];
	for (unsigned k = 0; k < 100; k++) { /* up to five periods late */
		tsc = shots[0] + k * 50000;
		fake_trap[VEC_NMI](&tf);
	}
	b = status();
	assert_int_equal(b.ticks, a.ticks);
	assert_int_equal(b.lost, a.lost);
	assert_int_equal(statclocks[0], before);
	assert_int_equal(b.strays, a.strays + 100);
	finish();
}

static void a_slightly_early_tick_counts(void **state)
{
	begin(1000000000, 1000);
	tick(0);
	shots[0] -= 10000; /* two clocks that differ by 1 % */
	assert_true(shot(0));
	finish();
}

/* C20: what is left of a period is waited for at another rate, too, so that ticks come. */
static void C20_a_rate_that_changes_often_starves_no_tick(void **state)
{
	struct shots_status a, b;
	uint64_t end;

	begin(1000000000, 10);
	a = status();
	for (unsigned k = 1; k <= 1000; k++) {
		end = tsc + 20000000;
		while (shots[0] <= end)
			shot(0);
		tsc = end;
		assert_int_equal(profclock_hz(10 + k % 2), 0);
	}
	b = status();
	assert_in_range(b.ticks - a.ticks, 210 - 9, 210 + 9); /* 20 s at 10.5 Hz */
	assert_int_equal(b.lost, a.lost);
	finish();
}

static void rate_has_bounds_and_a_true_period(void **state)
{
	static const struct {
		unsigned hz;
		int err;
		uint32_t period;
	} cases[] = {
		{0, -EINVAL, 0}, {9, -EINVAL, 0}, {10, 0, 100000}, {11, 0, 90909},
		{997, 0, 1003}, {3000, 0, 333}, {19999, 0, 50}, {20000, 0, 50},
		{20001, -EINVAL, 0}, {UINT32_MAX, -EINVAL, 0},
	};
	unsigned i;

	begin(1000000000, 1000);
	for (i = 0; i < nelem(cases); i++) {
		struct shots_status was = status();

		assert_int_equal(profclock_hz(cases[i].hz), cases[i].err);
		assert_int_equal(status().hz, cases[i].err ? was.hz : cases[i].hz);
		assert_int_equal(status().period_us,
				 cases[i].err ? was.period_us : cases[i].period);
	}
	for (unsigned hz = PROFCLOCK_HZ_MIN; hz <= PROFCLOCK_HZ_MAX; hz++) {
		assert_int_equal(profclock_hz(hz), 0);
		assert_int_equal(status().period_us, (2000000 + hz) / (2 * hz));
	}
	finish();
}

static void it_runs_while_somebody_holds_it(void **state)
{
	shots_hz = 1000000000;
	profclock_init(&fake_timer, "nmi", 0, "a test");
	assert_true(shots[0] == NEVER);
	profclock_change(1, NULL, NULL);
	profclock_change(1, NULL, NULL);
	profclock_change(-1, NULL, NULL);
	assert_true(shot(0));
	profclock_change(-1, NULL, NULL);
	assert_true(shots[0] == NEVER);
	profclock_change(1, NULL, NULL);
	assert_true(shot(0));
	finish();
}

/* CPUs that an emulator runs in turn have two turns in a quarter of a period while it runs. */
static void turns_are_as_many_as_it_needs(void **state)
{
	begin(1000000000, 5000);
	assert_int_equal(paced, 200 * 1000 / 4 / 2);
	assert_int_equal(profclock_hz(10), 0);
	assert_int_equal(paced, TURNS_SLOW);
	assert_int_equal(profclock_hz(20000), 0);
	finish();
	assert_int_equal(paced, TURNS_SLOW);
}

/* B15: whoever changes or reads the clock's state holds its lock meanwhile. */
static void B15_control_takes_the_lock(void **state)
{
	begin(1000000000, 1000);
	fake_taken = 0;
	profclock_change(1, NULL, NULL);
	assert_int_equal(fake_taken, 1);
	profclock_change(-1, NULL, NULL);
	assert_int_equal(fake_taken, 2);
	assert_int_equal(profclock_hz(2000), 0);
	assert_int_equal(fake_taken, 3);
	assert_int_equal(profclock_delivery(true), 0);
	assert_int_equal(fake_taken, 4);
	status();
	assert_int_equal(fake_taken, 5);
	assert_int_equal(fake_mutexes, 0);
	finish();
}

/* What gnomon extract reads of the clock. */
static void its_state_is_described(void **state)
{
	static struct prof_block_field f[PROF_BLOCK_CLOCKS];

	profclock_describe(f);
	for (int i = 0; i <= PROF_BLOCK_CLOCK_LOST; i++)
		assert_true(f[i].size > 0);
}

static void delivery_changes_while_it_runs(void **state)
{
	unsigned n;

	begin(1000000000, 1000);
	assert_int_equal(vector, VEC_NMI);
	n = eois;
	tick(0);
	assert_int_equal(eois, n);
	assert_int_equal(profclock_delivery(false), 0);
	assert_int_equal(vector, VEC_PROF);
	tick(0);
	assert_int_equal(eois, n + 1);
	assert_string_equal(status().delivery, "irq");
	assert_int_equal(profclock_delivery(true), 0);
	tick(0);
	finish();
}

static void without_nmi_it_falls_back(void **state)
{
	nmi_refused = true;
	profclock_init(&fake_timer, "nmi", 0, "a test");
	nmi_refused = false;
	assert_int_equal(profclock_delivery(true), -EOPNOTSUPP);
	assert_int_equal(vector, VEC_PROF);
	assert_string_equal(status().delivery, "irq");
	assert_true(fake_logged("fake cannot deliver by NMI"));
	assert_string_equal(status().source, "fake");
}

#define EFLAGS 17 /* in gregs; its name there is only for programs that want all of GNU's */

static struct {
	unsigned at;   /* the instruction at which an interrupt comes */
	unsigned seen; /* before it */
	bool due;      /* the timer's own, or else somebody's */
	bool stuck;    /* the timer was armed for no time at all: it would interrupt for ever */
} step;

/* After each instruction of this process, until the interrupt has come. */
static void stepped(int sig, siginfo_t *info, void *context)
{
	ucontext_t *c = context;

	if (step.seen++ < step.at)
		return;
	c->uc_mcontext.gregs[EFLAGS] &= ~(greg_t)EFL_TF;
	if (step.due) {
		if (shots[0] == NEVER)
			return;
		tsc = shots[0];
		shots[0] = NEVER;
	}
	interrupt(0);
	if (shots[0] <= tsc)
		step.stuck = true;
}

/* From the return on, instructions are traps. The red zone is left alone. */
static inline __attribute__((always_inline)) void trace(void)
{
	__asm__ volatile("lea -128(%%rsp), %%rsp\n\tpushfq\n\torl %0, (%%rsp)\n\tpopfq\n\t"
			 "lea 128(%%rsp), %%rsp" : : "i"(EFL_TF) : "memory", "cc");
}

static inline __attribute__((always_inline)) void trace_off(void)
{
	__asm__ volatile("lea -128(%%rsp), %%rsp\n\tpushfq\n\tandl %0, (%%rsp)\n\tpopfq\n\t"
			 "lea 128(%%rsp), %%rsp" : : "i"(~EFL_TF) : "memory", "cc");
}

/* An NMI may come between any two instructions that start or stop the clock. */
static void k8_an_interrupt_may_come_at_any_instruction(void **state)
{
	struct sigaction sa = {.sa_sigaction = stepped, .sa_flags = SA_SIGINFO}, before;
	unsigned kind;

	assert_int_equal(sigaction(SIGTRAP, &sa, &before), 0);
	for (kind = 0; kind < 4; kind++) {
		step.due = kind & 1;
		for (step.at = 0; step.at == 0 || step.seen == step.at; step.at++) {
			begin(1000000000, 1000);
			tick(0);
			step.seen = 0;
			if (kind & 2) {
				trace();
				profclock_change(-1, NULL, NULL);
				trace_off();
				profclock_change(1, NULL, NULL);
			} else {
				profclock_change(-1, NULL, NULL);
				trace();
				profclock_change(1, NULL, NULL);
				trace_off();
			}
			tick(0);
			finish();
			assert_false(interrupt(0));
			if (step.stuck)
				fail_msg("after %u instructions (%u): armed for no time",
					 step.at, kind);
		}
		assert_true(step.at > 100);
	}
	assert_int_equal(sigaction(SIGTRAP, &before, NULL), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(k8_mean_period_is_exact, let_go),
		cmocka_unit_test_teardown(k8_timeline_does_not_drift, let_go),
		cmocka_unit_test_teardown(draws_are_even_from_half_to_one_and_a_half, let_go),
		cmocka_unit_test_teardown(ticks_are_in_step_with_nothing, let_go),
		cmocka_unit_test_teardown(late_ticks_do_not_move_the_timeline, let_go),
		cmocka_unit_test_teardown(ticks_that_never_came_are_lost_and_make_no_burst, let_go),
		cmocka_unit_test_teardown(every_point_is_a_tick_or_lost, let_go),
		cmocka_unit_test_teardown(C20_a_late_point_is_taken_or_lost, let_go),
		cmocka_unit_test_teardown(C5_points_before_the_stop_are_lost, let_go),
		cmocka_unit_test_teardown(long_periods_go_in_pieces, let_go),
		cmocka_unit_test_teardown(a_foreign_nmi_is_no_tick_and_stops_nothing, let_go),
		cmocka_unit_test_teardown(c21_by_vector_no_nmi_is_a_tick, let_go),
		cmocka_unit_test_teardown(a_slightly_early_tick_counts, let_go),
		cmocka_unit_test_teardown(rate_has_bounds_and_a_true_period, let_go),
		cmocka_unit_test_teardown(C20_a_rate_that_changes_often_starves_no_tick, let_go),
		cmocka_unit_test_teardown(it_runs_while_somebody_holds_it, let_go),
		cmocka_unit_test_teardown(turns_are_as_many_as_it_needs, let_go),
		cmocka_unit_test_teardown(B15_control_takes_the_lock, let_go),
		cmocka_unit_test_teardown(its_state_is_described, let_go),
		cmocka_unit_test_teardown(delivery_changes_while_it_runs, let_go),
		cmocka_unit_test_teardown(without_nmi_it_falls_back, let_go),
		cmocka_unit_test_teardown(k8_an_interrupt_may_come_at_any_instruction, let_go),
	};

	return RUN(tests, NULL, NULL);
}
