/*
 * prof/prof_kprof.c and tick.c: what is counted where, and that it always adds up (K2 K4-K9).
 * Links: tests/prof/machine.c
 */
#include "tests/test.h"
#include "tests/prof/machine.h"

#define LO 0xc0100000u
#define NBUCKET 100u
#define HI (LO + NBUCKET * 8 - 3) /* the last bucket is not whole */
#define COUNTED (LO + 48)	  /* after the six special numbers' range */

enum { TOTAL, OUTSIDE, MICROSECONDS, BUCKETS, BUCKET_SIZE, LOG2 };

static struct prof prof;
static uint8_t data[4 * NBUCKET];

static int power_on(void **state)
{
	machine_reset();
	prof = (struct prof){0};
	assert_true(prof_kprof_init(&prof, LO, HI, PROF_MAXCPU));
	prof_period(&prof, 1000);
	return 0;
}

static int power_off(void **state)
{
	machine_reset();
	return 0;
}

static void tick(unsigned cpu, uint32_t pc, enum prof_cause what)
{
	struct prof_sample s = {.cpu = cpu, .at.pc = pc, .what = what};

	machine_tick(&prof, &s);
}

/* Number i of a fresh picture, whose sum is checked. */
static uint32_t number(uint32_t i)
{
	uint64_t sum;
	uint32_t b;

	memset(data, 0xee, sizeof(data));
	prof_kprof_picture(&prof, data);
	sum = machine_be32(data, OUTSIDE);
	for (b = 6; b < NBUCKET; b++)
		sum += machine_be32(data, b);
	assert_int_equal(machine_be32(data, TOTAL), sum);
	return machine_be32(data, i);
}

static void K4_special_counts(void **state)
{
	static const uint8_t wanted[] = "\0\0\0\003"   /* ticks */
					"\0\0\0\001"   /* outside */
					"\0\0\003\350" /* microseconds */
					"\0\0\0\144"   /* buckets: NBUCKET */
					"\0\0\0\004\0\0\0\003";

	prof_start(&prof, PROF_KPROF);
	tick(0, COUNTED, PROF_KERNEL);
	tick(0, COUNTED, PROF_IDLE);
	tick(0, 0, PROF_KERNEL);
	prof_kprof_picture(&prof, data);
	assert_memory_equal(data, wanted, 24);
	assert_int_equal(number(6), 2);
}

static void K5_length_follows_from_text_size(void **state)
{
	static const struct {
		uint32_t text, buckets;
	} size[] = {
		{1, 6},	 {47, 6}, {48, 6}, {49, 7},	{56, 7},
		{57, 8}, {64, 8}, {65, 9}, {4096, 512}, {1u << 20, 1u << 17},
	};
	size_t i;

	for (i = 0; i < nelem(size); i++) {
		machine_reset();
		assert_true(prof_kprof_init(&prof, LO, LO + size[i].text, 1));
		assert_int_equal(prof_kprof_length(&prof), 4 * size[i].buckets);
		uint8_t *file = malloc(prof_kprof_length(&prof));
		prof_kprof_picture(&prof, file);
		assert_int_equal(machine_be32(file, BUCKETS), size[i].buckets);
		free(file);
	}
}

static void K2_K7_each_address_has_its_place(void **state)
{
	static const struct {
		uint32_t pc;
		enum prof_cause what;
		uint32_t at; /* index into the file */
	} t[] = {
		{LO - 1, PROF_KERNEL, OUTSIDE},	     {LO, PROF_KERNEL, OUTSIDE},
		{COUNTED - 1, PROF_KERNEL, OUTSIDE}, {COUNTED, PROF_KERNEL, 6},
		{COUNTED + 7, PROF_KERNEL, 6},	     {COUNTED + 8, PROF_KERNEL, 7},
		{HI - 6, PROF_KERNEL, NBUCKET - 2},  {HI - 5, PROF_KERNEL, NBUCKET - 1},
		{HI - 1, PROF_KERNEL, NBUCKET - 1},  {HI, PROF_KERNEL, OUTSIDE},
		{HI + 1, PROF_KERNEL, OUTSIDE},	     {0, PROF_KERNEL, OUTSIDE},
		{UINT32_MAX, PROF_KERNEL, OUTSIDE},  {COUNTED, PROF_IDLE, 6},
		{COUNTED, PROF_USER, OUTSIDE},	     {0x400000, PROF_USER, OUTSIDE},
	};
	size_t i;

	for (i = 0; i < nelem(t); i++) {
		prof_clear(&prof, PROF_KPROF);
		prof_start(&prof, PROF_KPROF);
		tick(i % PROF_MAXCPU, t[i].pc, t[i].what);
		assert_int_equal(number(t[i].at), 1);
		assert_int_equal(number(TOTAL), 1);
	}
}

static void K9_start_adds_and_stop_ends(void **state)
{
	tick(0, COUNTED, PROF_KERNEL);
	assert_int_equal(number(TOTAL), 0);
	prof_start(&prof, PROF_KPROF);
	prof_start(&prof, PROF_KPROF);
	tick(0, COUNTED, PROF_KERNEL);
	prof_stop(&prof, PROF_KPROF);
	prof_stop(&prof, PROF_KPROF);
	tick(0, COUNTED, PROF_KERNEL);
	assert_int_equal(number(TOTAL), 1);
	prof_start(&prof, PROF_KPROF);
	tick(0, COUNTED, PROF_KERNEL);
	assert_int_equal(number(TOTAL), 2);
}

static void K9_clear_zeroes_and_keeps_the_state(void **state)
{
	prof_start(&prof, PROF_KPROF);
	tick(3, COUNTED, PROF_KERNEL);
	prof_clear(&prof, PROF_KPROF);
	assert_int_equal(number(TOTAL), 0);
	tick(3, COUNTED, PROF_KERNEL);
	assert_int_equal(number(TOTAL), 1);
	prof_stop(&prof, PROF_KPROF);
	prof_clear(&prof, PROF_KPROF);
	tick(3, COUNTED, PROF_KERNEL);
	assert_int_equal(number(TOTAL), 0);
}

/* What is under way on another CPU: it saw that kprof is on, and counts after the stop. */
static int late_ticks;

static void late_tick(void)
{
	late_ticks++;
	prof_kprof_tick(&prof, 5, COUNTED, false);
}

static void K9_clear_waits_for_ticks_under_way(void **state)
{
	machine.quiesce = late_tick;
	late_ticks = 0;
	prof_start(&prof, PROF_KPROF);
	prof_clear(&prof, PROF_KPROF);
	assert_int_equal(late_ticks, 1);
	assert_int_equal(number(TOTAL), 0);
}

static void K6_totals_add_up_in_every_picture(void **state)
{
	uint32_t wanted[2] = {0, 0}; /* total and outside */
	bool on = false;
	int round, i;

	srand(1);
	for (round = 0; round < 100; round++) {
		switch (rand() % 3) {
		case 0:
			prof_start(&prof, PROF_KPROF);
			on = true;
			break;
		case 1:
			prof_stop(&prof, PROF_KPROF);
			on = false;
			break;
		default:
			prof_clear(&prof, PROF_KPROF);
			prof_start(&prof, PROF_KPROF);
			wanted[TOTAL] = wanted[OUTSIDE] = 0;
			on = true;
		}
		for (i = rand() % 200; i > 0; i--) {
			uint32_t pc = LO - 100 + (uint32_t)rand() % (HI - LO + 200);
			enum prof_cause what = rand() % 3;

			tick((unsigned)rand() % PROF_MAXCPU, pc, what);
			wanted[TOTAL] += on;
			wanted[OUTSIDE] += on && (what == PROF_USER || pc < COUNTED || pc >= HI);
		}
		assert_int_equal(number(TOTAL), wanted[TOTAL]);
		assert_int_equal(number(OUTSIDE), wanted[OUTSIDE]);
	}
}

static void K6_a_cpu_stops_at_the_end_of_its_share(void **state)
{
	const uint32_t share = UINT32_MAX / PROF_MAXCPU;
	unsigned cpu;

	prof_start(&prof, PROF_KPROF);
	for (cpu = 0; cpu < PROF_MAXCPU; cpu++) {
		assert_int_equal(prof.kprof.cell[cpu][PROF_KPROF_LEFT], share);
		prof.kprof.cell[cpu][PROF_KPROF_LEFT] = 1;
		prof.kprof.cell[cpu][6 + cpu] = share - 1;
	}
	assert_false(prof_kprof_full(&prof));
	for (cpu = 0; cpu < PROF_MAXCPU; cpu++) {
		tick(cpu, COUNTED, PROF_KERNEL);
		tick(cpu, COUNTED, PROF_KERNEL);
		tick(cpu, 0, PROF_USER);
	}
	assert_true(prof_kprof_full(&prof));
	assert_int_equal(number(TOTAL), share * PROF_MAXCPU);
	assert_int_equal(number(OUTSIDE), 0);
	prof_clear(&prof, PROF_KPROF);
	assert_false(prof_kprof_full(&prof));
	tick(0, COUNTED, PROF_KERNEL);
	assert_int_equal(number(TOTAL), 1);
}

static void ticks(unsigned n)
{
	while (n-- > 0)
		tick(n % PROF_MAXCPU, COUNTED, PROF_KERNEL);
}

static void K8_period_is_the_mean_over_changes_of_rate(void **state)
{
	static const struct {
		uint32_t ticks, period, wanted;
	} t[] = {
		{0, 1000, 1000}, {10, 1000, 1000}, {0, 500, 1000}, {10, 500, 750},
		{0, 500, 750},	 {20, 250, 625}, /* 20 more of 500, then the period changes */
		{80, 250, 375},	 {0, 100000, 375}, {1, 50, 1198}, /* 120 of 375, and 100000 */
	};
	size_t i;

	prof_start(&prof, PROF_KPROF);
	for (i = 0; i < nelem(t); i++) {
		ticks(t[i].ticks);
		prof_period(&prof, t[i].period);
		assert_int_equal(number(MICROSECONDS), t[i].wanted);
	}
	prof_clear(&prof, PROF_KPROF);
	assert_int_equal(number(MICROSECONDS), 50);
	ticks(1);
	prof_period(&prof, 101);
	ticks(1);
	assert_int_equal(number(MICROSECONDS), 76); /* of 75.5 */
}

static void K5_what_cannot_be_counted_is_refused(void **state)
{
	int n;

	assert_false(prof_kprof_init(&prof, LO, LO, 1));
	assert_false(prof_kprof_init(&prof, HI, LO, 1));
	assert_false(prof_kprof_init(&prof, LO, HI, 0));
	assert_false(prof_kprof_init(&prof, LO, HI, PROF_MAXCPU + 1));
	for (n = 0; n < 3; n++) {
		machine_reset();
		machine.allocs_left = n;
		prof = (struct prof){0};
		assert_false(prof_kprof_init(&prof, LO, HI, 3));
		prof_period(&prof, 1000);
		prof_start(&prof, PROF_KPROF);
		assert_false(prof_wants(&prof, PROF_KPROF));
	}
	machine_reset();
	machine.allocs_left = 3;
	assert_true(prof_kprof_init(&prof, LO, HI, 3));
}

/* What a sink got; its fail-th piece fails, and each is followed by a tick. */
static struct {
	uint8_t data[4 * NBUCKET];
	size_t n;
	int fail;
} written;

static int put(void *arg, const void *piece, size_t n)
{
	assert_in_range(n, 4, 256);
	assert_in_range(n, 0, sizeof(written.data) - written.n);
	memcpy(written.data + written.n, piece, n);
	written.n += n;
	tick(1, COUNTED, PROF_KERNEL);
	return --written.fail == 0 ? 42 : 0;
}

/* A9 K6: pieces are small, what they make is the picture, and ticks on the way do not count. */
static void A9_pieces_make_the_picture(void **state)
{
	struct prof_sink sink = {.write = put};
	uint32_t pc;
	int fail;

	prof_start(&prof, PROF_KPROF);
	for (pc = LO - 8; pc < HI + 8; pc += 3)
		tick(pc % 2, pc, PROF_KERNEL);
	prof_kprof_picture(&prof, data);
	assert_int_equal(prof_kprof_write(&prof, PROF_KPROF, &sink), 0);
	assert_int_equal(written.n, sizeof(written.data));
	assert_memory_equal(written.data, data, sizeof(written.data));
	for (fail = 1; fail <= 2; fail++) {
		written.n = 0;
		written.fail = fail;
		assert_int_equal(prof_kprof_write(&prof, PROF_KPROF, &sink), 42);
		assert_int_equal(written.fail, 0);
		assert_true(prof_wants(&prof, PROF_KPROF));
	}
	prof_stop(&prof, PROF_KPROF);
	written.n = 0;
	assert_int_equal(prof_kprof_write(&prof, PROF_KPROF, &sink), 0);
	assert_false(prof_wants(&prof, PROF_KPROF));
}

/* A11: each range of text has a struct prof of its own, and each of these gets all ticks. */
static void A11_several_ranges_of_text(void **state)
{
	struct prof other = {0};
	struct prof_sample s = {.at.pc = COUNTED};
	uint8_t picture[4 * 106];

	assert_true(prof_kprof_init(&other, 0x1000, 0x1000 + sizeof(picture) * 2, 1));
	prof_start(&prof, PROF_KPROF);
	prof_start(&other, PROF_KPROF);
	for (unsigned i = 0; i < 5; i++) {
		s.at.pc = i < 2 ? COUNTED : 0x1000 + 48;
		machine_tick(&prof, &s);
		machine_tick(&other, &s);
	}
	assert_int_equal(number(6), 2);
	assert_int_equal(number(OUTSIDE), 3);
	prof_kprof_picture(&other, picture);
	assert_int_equal(machine_be32(picture, 6), 3);
	assert_int_equal(machine_be32(picture, OUTSIDE), 2);
}

/* Whatever a kernel does first, state that is all zero counts nothing and needs no memory. */
static void a_tick_before_all_else_does_nothing(void **state)
{
	static struct prof zero, untouched;
	struct prof_sample s = {.at = {LO, LO, LO}, .name = "sh"};

	zero = untouched;
	for (s.what = PROF_KERNEL; s.what <= PROF_USER; s.what++)
		for (s.cpu = 0; s.cpu < PROF_MAXCPU; s.cpu++)
			machine_tick(&zero, &s);
	prof_start(&zero, PROF_KPROF);
	prof_gmon_start(&zero, PROF_GMON_ALL);
	prof_start(&zero, PROF_PATHS);
	machine_tick(&zero, &(struct prof_sample){.name = "sh"});
	assert_memory_equal(&zero, &untouched, sizeof(zero));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, power_on, power_off)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(K4_special_counts),
		TEST(K5_length_follows_from_text_size),
		TEST(K5_what_cannot_be_counted_is_refused),
		TEST(K2_K7_each_address_has_its_place),
		TEST(K6_totals_add_up_in_every_picture),
		TEST(K6_a_cpu_stops_at_the_end_of_its_share),
		TEST(K8_period_is_the_mean_over_changes_of_rate),
		TEST(K9_start_adds_and_stop_ends),
		TEST(K9_clear_zeroes_and_keeps_the_state),
		TEST(K9_clear_waits_for_ticks_under_way),
		TEST(A9_pieces_make_the_picture),
		TEST(A11_several_ranges_of_text),
		TEST(a_tick_before_all_else_does_nothing),
	};

	return RUN(tests, NULL, NULL);
}
