/*
 * prof/prof_prf.c: what is loaded, found, counted and how often (D1-D9 D13).
 * Links: tests/prof/machine.c
 */
#include "tests/test.h"
#include "tests/prof/machine.h"

#define LO 0xc0100000u
#define NCPU 4
#define ALL PROF_PRF_EVERY

static struct prof prof;
#define A sizeof(prof_addr)

static const prof_addr three[] = {LO, LO + 0x100, LO + 0x1000};
static prof_addr table[PROF_PRF_MAXADDR + 1];

static int power_on(void **state)
{
	machine_reset();
	prof = (struct prof){0};
	assert_true(prof_prf_init(&prof, NCPU));
	prof_period(&prof, PROF_PRF_US);
	return 0;
}

static int power_off(void **state)
{
	machine_reset();
	return 0;
}

static void tick(unsigned cpu, prof_addr pc, enum prof_cause what)
{
	struct prof_sample s = {.cpu = cpu, .at.pc = pc, .what = what};

	machine_tick(&prof, &s);
}

static void ticks(unsigned cpu, prof_addr pc, enum prof_cause what, unsigned n)
{
	while (n-- > 0)
		tick(cpu, pc, what);
}

static void load(unsigned which, const prof_addr *addr, uint32_t n)
{
	assert_int_equal(prof_prf_load(&prof, which, addr, n * sizeof(*addr)), PROF_PRF_OK);
}

/* Counter i of a profiler, and all of them together. */
static uint32_t counter(unsigned which, uint32_t i)
{
	return (uint32_t)prof_prf_word(&prof, which, prof_prf_size(&prof, which) + i);
}

static uint32_t total(unsigned which)
{
	uint32_t n = 0, i;

	for (i = 0; i < prof_prf_size(&prof, which) + 2; i++)
		n += counter(which, i);
	return n;
}

/* Whether count is what n ticks of us microseconds give, from and to within a 10 ms. */
static bool is_rate(uint32_t count, uint64_t n, uint32_t us)
{
	uint64_t whole = n * us / PROF_PRF_US;

	return count >= whole - (whole > 0) && count <= whole + 1;
}

static void D1_load_copies_zeroes_and_marks(void **state)
{
	prof_addr addr[3];
	uint32_t i;

	memcpy(addr, three, sizeof(addr));
	assert_int_equal(prof_prf_size(&prof, ALL), 0);
	load(ALL, addr, 3);
	memset(addr, 0, sizeof(addr));
	assert_int_equal(prof_prf_size(&prof, ALL), 3);
	for (i = 0; i < 3; i++)
		assert_int_equal(prof_prf_word(&prof, ALL, i), three[i]);
	prof_prf_start(&prof, ALL);
	ticks(0, LO, PROF_KERNEL, 100);
	assert_true(total(ALL) > 90);
	prof_prf_stop(&prof, ALL);
	load(ALL, three, 3);
	assert_int_equal(total(ALL), 0);
	assert_int_equal(machine_given(), 1); /* what was there is given back */
}

/* The definition: from the end, the first that is not above. */
static uint32_t linear(const prof_addr *addr, uint32_t n, prof_addr pc)
{
	uint32_t i = n;

	while (i > 0 && addr[i - 1] > pc)
		i--;
	return i > 0 ? i - 1 : n + PROF_PRF_BELOW;
}

static void check_search(const prof_addr *addr, uint32_t n)
{
	const struct prof_prf_table *t;
	uint32_t i, k;
	prof_addr pc;
	int d;

	load(1, addr, n);
	t = prof.prf.of[1].table;
	for (i = 0; i < n; i += 1 + n / 500) {
		for (d = -1; d <= 1; d++) {
			pc = addr[i] + (prof_addr)d;
			assert_int_equal(prof_prf_find(t, pc), linear(addr, n, pc));
		}
	}
	for (k = 0; k < 200; k++) {
		pc = addr[0] + (prof_addr)rand() * 3 % (addr[n - 1] - addr[0] + 2);
		assert_int_equal(prof_prf_find(t, pc), linear(addr, n, pc));
	}
	assert_int_equal(prof_prf_find(t, 0), linear(addr, n, 0));
	assert_int_equal(prof_prf_find(t, UINTPTR_MAX), linear(addr, n, UINTPTR_MAX));
}

static void D2_the_search_finds_what_a_linear_one_does(void **state)
{
	static const prof_addr wide[] = {0, 1, UINTPTR_MAX}, ends[] = {1, 2, 3, UINTPTR_MAX - 1},
			       tail[] = {UINTPTR_MAX - 2, UINTPTR_MAX - 1, UINTPTR_MAX},
			       middle[] = {2, UINT32_MAX - 1, UINT32_MAX, UINTPTR_MAX};
	uint32_t round, i, n, step;

	check_search(wide, 3);
	check_search(ends, 4);
	check_search(tail, 3);
	check_search(middle, 4);
	check_search(three, 3);
	srand(1);
	for (round = 0; round < 200; round++) {
		n = PROF_PRF_MINADDR + (uint32_t)rand() % (round % 20 ? 100 : PROF_PRF_MAXADDR - 2);
		step = 1u << rand() % 14;
		table[0] = (uint32_t)rand() % LO;
		for (i = 1; i < n; i++)
			table[i] = table[i - 1] + 1 + (uint32_t)rand() % step *
							      (rand() % 50 ? 1 : 16);
		check_search(table, n);
	}
}

/* One sample each: a tick of 10 ms may be none, or two. */
static void sample(unsigned cpu, prof_addr pc, enum prof_cause what)
{
	prof.prf.cpu[cpu].beat.left = 1;
	tick(cpu, pc, what);
}

static void D2_D3_each_sample_has_its_counter(void **state)
{
	enum { USER = 3, IDLE, NONE };
	static const struct {
		uint32_t pc;
		enum prof_cause what;
		uint32_t at;
	} t[] = {
		{LO, PROF_KERNEL, 0},	       {LO + 1, PROF_KERNEL, 0},
		{LO + 0xff, PROF_KERNEL, 0},   {LO + 0x100, PROF_KERNEL, 1},
		{LO + 0x101, PROF_KERNEL, 1},  {LO + 0xfff, PROF_KERNEL, 1},
		{LO + 0x1000, PROF_KERNEL, 2}, {UINT32_MAX, PROF_KERNEL, 2},
		{LO - 1, PROF_KERNEL, NONE},   {0, PROF_KERNEL, NONE},
		{LO, PROF_USER, USER},	       {0x400000, PROF_USER, USER},
		{LO, PROF_IDLE, IDLE},	       {LO - 1, PROF_IDLE, IDLE},
	};
	size_t i;

	for (i = 0; i < nelem(t); i++) {
		load(2, three, 3);
		prof_prf_start(&prof, 2);
		sample(2, t[i].pc, t[i].what);
		prof_prf_stop(&prof, 2);
		assert_int_equal(total(2) != 0, t[i].at != NONE);
		if (t[i].at != NONE)
			assert_int_equal(counter(2, t[i].at), total(2));
	}
}

static void D6_errors_leave_it_unchanged(void **state)
{
	static const struct {
		size_t size;
		enum prof_prf_error err;
	} t[] = {
		{(PROF_PRF_MAXADDR + 1) * A, PROF_PRF_ENOSPC},
		{PROF_PRF_MAXADDR * A + A + 1, PROF_PRF_ENOSPC},
		{0, PROF_PRF_E2BIG},
		{4, PROF_PRF_E2BIG},
		{8, PROF_PRF_E2BIG},
		{11, PROF_PRF_E2BIG},
		{13, PROF_PRF_E2BIG},
		{PROF_PRF_MAXADDR * A + 3, PROF_PRF_E2BIG},
	};
	uint32_t before;
	size_t i;

	for (i = 0; i <= PROF_PRF_MAXADDR; i++)
		table[i] = (uint32_t)i;
	load(ALL, three, 3);
	prof_prf_start(&prof, ALL);
	ticks(1, LO, PROF_KERNEL, 20);
	prof_prf_stop(&prof, ALL);
	before = counter(ALL, 0);
	assert_true(before > 0);
	for (i = 0; i < nelem(t); i++) {
		assert_int_equal(prof_prf_load(&prof, ALL, table, t[i].size), t[i].err);
		assert_int_equal(prof_prf_size(&prof, ALL), 3);
		assert_int_equal(prof_prf_word(&prof, ALL, 2), three[2]);
		assert_int_equal(counter(ALL, 0), before);
	}
	machine.allocs_left = 0;
	assert_int_equal(prof_prf_load(&prof, ALL, table, 3 * A), PROF_PRF_ENOMEM);
	machine.allocs_left = -1;
	assert_int_equal(counter(ALL, 0), before);
	prof_prf_start(&prof, ALL);
	for (i = 0; i <= PROF_PRF_MAXADDR + 1; i++)
		assert_int_equal(prof_prf_load(&prof, ALL, table, i * A), PROF_PRF_EBUSY);
	assert_true(prof_prf_on(&prof, ALL));
	assert_int_equal(counter(ALL, 0), before);
	load(0, table, PROF_PRF_MAXADDR);
	assert_int_equal(prof_prf_size(&prof, 0), PROF_PRF_MAXADDR);
}

static void D6_not_ascending_is_not_loaded(void **state)
{
	static const prof_addr bad[][3] = {{1, 1, 2}, {1, 2, 2}, {3, 2, 4}, {1, 3, 2}, {3, 2, 1}};
	size_t i;

	for (i = 0; i < nelem(bad); i++) {
		load(ALL, three, 3);
		assert_int_equal(prof_prf_load(&prof, ALL, bad[i], sizeof(bad[i])),
				 PROF_PRF_EINVAL);
		assert_int_equal(prof_prf_size(&prof, ALL), 0);
		prof_prf_start(&prof, ALL);
		assert_false(prof_prf_on(&prof, ALL));
	}
}

static void D8_three_states(void **state)
{
	prof_prf_start(&prof, 0);
	assert_false(prof_prf_on(&prof, 0));
	assert_false(prof_wants(&prof, PROF_PRF));
	load(0, three, 3);
	assert_false(prof_prf_on(&prof, 0));
	prof_prf_start(&prof, 0);
	prof_prf_start(&prof, 0);
	assert_true(prof_prf_on(&prof, 0) && prof_wants(&prof, PROF_PRF));
	prof_prf_stop(&prof, 0);
	prof_prf_stop(&prof, 0);
	assert_false(prof_prf_on(&prof, 0));
	assert_false(prof_wants(&prof, PROF_PRF));
}

static void D9_profilers_are_independent(void **state)
{
	static const prof_addr other[] = {LO, LO + 8, LO + 16, LO + 24};

	load(0, three, 3);
	load(1, other, 4);
	load(ALL, three, 3);
	prof_prf_start(&prof, 1);
	for (unsigned cpu = 0; cpu < NCPU; cpu++)
		ticks(cpu, LO, PROF_KERNEL, cpu != 1 ? 100 : 0);
	assert_int_equal(total(0) + total(1) + total(ALL), 0);
	ticks(1, LO + 20, PROF_KERNEL, 100);
	assert_true(is_rate(counter(1, 2), 100, PROF_PRF_US));
	assert_int_equal(total(0) + total(ALL), 0);
	prof_prf_start(&prof, ALL);
	prof_prf_stop(&prof, 1);
	assert_int_equal(prof_prf_load(&prof, 1, other, sizeof(other)), PROF_PRF_OK);
	assert_int_equal(prof_prf_load(&prof, ALL, other, sizeof(other)), PROF_PRF_EBUSY);
	ticks(1, LO + 20, PROF_KERNEL, 100);
	assert_int_equal(total(1), 0);
	assert_true(is_rate(counter(ALL, 0), 100, PROF_PRF_US));
}

static void D9_all_is_the_sum_of_the_processors(void **state)
{
	uint32_t i, sum;
	unsigned cpu;

	srand(2);
	for (cpu = 0; cpu < NCPU; cpu++)
		load(cpu, three, 3);
	load(ALL, three, 3);
	for (cpu = 0; cpu < NCPU; cpu++)
		prof_prf_start(&prof, cpu);
	prof_prf_start(&prof, ALL);
	for (i = 0; i < 20000; i++)
		tick((unsigned)rand() % NCPU, LO - 0x100 + (uint32_t)rand() % 0x2000, rand() % 3);
	for (i = 0; i < 5; i++) {
		for (sum = 0, cpu = 0; cpu < NCPU; cpu++)
			sum += counter(cpu, i);
		assert_int_equal(counter(ALL, i), sum);
		assert_true(sum > 0);
	}
}

static void D13_the_rate_is_100_whatever_the_clock_is(void **state)
{
	static const uint32_t period[] = {10000, 1000, 500, 50, 20000, 100000, 333, 9999, 10001};
	static const uint32_t n[] = {1, 2, 9, 10, 11, 1000, 12345};
	size_t i, k;

	for (i = 0; i < nelem(period); i++) {
		for (k = 0; k < nelem(n); k++) {
			prof = (struct prof){0};
			assert_true(prof_prf_init(&prof, 1));
			prof_period(&prof, period[i]);
			load(ALL, three, 3);
			prof_prf_start(&prof, ALL);
			ticks(0, LO, PROF_KERNEL, n[k]);
			assert_true(is_rate(total(ALL), n[k], period[i]));
		}
	}
}

static void D13_a_change_of_rate_keeps_the_weights(void **state)
{
	static const uint32_t period[] = {1000, 20000, 500, 10000, 333};
	uint32_t us = 0;
	size_t i;

	load(ALL, three, 3);
	prof_prf_start(&prof, ALL);
	for (i = 0; i < 200; i++) {
		prof_period(&prof, period[i % nelem(period)]);
		ticks(3, LO, PROF_USER, 17);
		us += 17 * period[i % nelem(period)];
	}
	assert_true(is_rate(total(ALL), us, 1));
	assert_int_equal(counter(ALL, 3), total(ALL));
}

/* What takes 3 ms of every 10 takes 30 per cent, though it is in step with the samples. */
static void D13_samples_are_not_in_step(void **state)
{
	uint32_t i;

	prof_period(&prof, 1000);
	load(0, three, 3);
	prof_prf_start(&prof, 0);
	for (i = 0; i < 100000; i++)
		tick(0, i % 10 < 3 ? LO : LO + 0x100, PROF_KERNEL);
	assert_in_range(counter(0, 0), 2850, 3150);
	assert_in_range(total(0), 9999, 10001);
}

static int waits;

static void note_wait(void)
{
	waits++;
}

static void D6_off_waits_for_ticks_under_way(void **state)
{
	waits = 0;
	machine.quiesce = note_wait;
	load(0, three, 3);
	prof_prf_start(&prof, 0);
	assert_int_equal(waits, 0);
	prof_prf_stop(&prof, 0);
	assert_int_equal(waits, 1);
	prof_prf_stop(&prof, 0); /* no tick counts there any more */
	assert_int_equal(waits, 1);
}

static void D9_no_such_number_of_processors(void **state)
{
	assert_false(prof_prf_init(&prof, 0));
	assert_false(prof_prf_init(&prof, PROF_MAXCPU + 1));
	assert_true(prof_prf_init(&prof, PROF_MAXCPU));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, power_on, power_off)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(D1_load_copies_zeroes_and_marks),
		TEST(D2_the_search_finds_what_a_linear_one_does),
		TEST(D2_D3_each_sample_has_its_counter),
		TEST(D6_errors_leave_it_unchanged),
		TEST(D6_not_ascending_is_not_loaded),
		TEST(D6_off_waits_for_ticks_under_way),
		TEST(D8_three_states),
		TEST(D9_profilers_are_independent),
		TEST(D9_all_is_the_sum_of_the_processors),
		TEST(D9_no_such_number_of_processors),
		TEST(D13_the_rate_is_100_whatever_the_clock_is),
		TEST(D13_a_change_of_rate_keeps_the_weights),
		TEST(D13_samples_are_not_in_step),
	};

	return RUN(tests, NULL, NULL);
}
