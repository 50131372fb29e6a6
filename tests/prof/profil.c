/*
 * prof/prof_profil.c: which cell counts which address (U1, U2, U3, U7, U8), tables at the edges and
 * cross-checked with another computation, and how many samples a process gets (U9).
 * Links: tests/prof/machine.c
 */
#include "tests/test.h"
#include "tests/prof/machine.h"

#define BASE (UINTPTR_MAX - 0xefffffffu)
#define OFF 0x400000u
#define NONE UINT32_MAX

static struct prof prof;

/* The offset in the buffer at which one region counts pc; NONE. */
static uint32_t where(uint32_t size, uint32_t offset, uint32_t scale, uint32_t cell, uint32_t pc)
{
	struct prof_profil_region r = {BASE, size, offset, scale};
	prof_addr addr;

	return prof_profil_find(&r, 1, cell, pc, &addr) ? (uint32_t)(addr - BASE) : NONE;
}

static const struct {
	const char *what;
	uint32_t size, scale, cell, pc, want; /* pc less OFF */
} cases[] = {
	{"U1 the first byte", 4096, 0x10000, 2, 0, 0},
	{"U1 half a cell on", 4096, 0x10000, 2, 1, 0},
	{"U1 the next cell", 4096, 0x10000, 2, 2, 2},
	{"U2 4 bytes to a 4-byte word", 4096, 0x10000, 4, 4, 4},
	{"U2 their last byte", 4096, 0x10000, 4, 7, 4},
	{"U2 the same in two 2-byte cells", 4096, 0x10000, 2, 7, 6},
	{"U2 two bytes to one", 4096, 0x8000, 2, 3, 0},
	{"U2 two bytes to one: the next cell", 4096, 0x8000, 2, 4, 2},
	{"U2 two bytes to one, 32 bits", 4096, 0x8000, 4, 7, 0},
	{"U2 two bytes to one, 32 bits: the next", 4096, 0x8000, 4, 8, 4},
	{"U2 scale 2", 4096, 2, 2, 0, 0},
	{"U2 scale 2, far away", 4096, 2, 2, 0x80000000u, 0},
	{"U2 scale 2, at the end of all", 4096, 2, 4, UINT32_MAX - OFF, 0},
	{"U2 scale 3 is not all", 4096, 3, 2, 0x40000, 12},
	{"U3 scale 0", 4096, 0, 2, 0, NONE},
	{"U3 scale 1", 4096, 1, 2, 0, NONE},
	{"U3 no buffer", 0, 0x10000, 2, 0, NONE},
	{"U3 no buffer, scale 2", 0, 2, 2, 0, NONE},
	{"a cell that does not fit", 1, 2, 2, 0, NONE},
	{"a cell that just fits", 2, 2, 2, 0, 0},
	{"a 32-bit cell that does not fit", 3, 2, 4, 0, NONE},
	{"U8 the last cell", 4096, 0x10000, 2, 4095, 4094},
	{"U8 after it", 4096, 0x10000, 2, 4096, NONE},
	{"U8 the last cell of an odd size", 4095, 0x10000, 2, 4093, 4092},
	{"U8 the cell that is cut", 4095, 0x10000, 2, 4094, NONE},
	{"U8 the last cell at half scale", 4096, 0x8000, 2, 8191, 4094},
	{"U8 after it at half scale", 4096, 0x8000, 2, 8192, NONE},
	{"U8 just below", 4096, 0x10000, 2, UINT32_MAX, NONE},
	{"U8 far below", 4096, 0x10000, 2, 0u - OFF, NONE},
	{"U8 below at scale 2", 4096, 2, 2, UINT32_MAX, NONE},
	{"no product is too large", UINT32_MAX - 1, UINT32_MAX, 2, 0x80000000u, NONE},
	{"beyond 1:1", 4096, 0x20000, 2, 3, 6},
};

static void U1_U2_U3_U8_table(void **state)
{
	size_t i;

	for (i = 0; i < nelem(cases); i++) {
		uint32_t got = where(cases[i].size, OFF, cases[i].scale, cases[i].cell,
				     OFF + cases[i].pc);

		if (got != cases[i].want)
			fail_msg("%s: %u, not %u", cases[i].what, got, cases[i].want);
	}
}

/* The cell by its definition, without a multiplication: count down bit by bit of the scale. */
static uint32_t slowly(uint32_t size, uint32_t offset, uint32_t scale, uint32_t cell, uint32_t pc)
{
	unsigned __int128 product = 0;
	uint64_t at;
	int bit;

	if (pc < offset || scale < 2)
		return NONE;
	for (bit = 0; bit < 32; bit++)
		if (scale >> bit & 1)
			product += (unsigned __int128)(pc - offset) << bit;
	at = scale == 2 ? 0 : (uint64_t)(product / 65536) / cell * cell;
	if (at + cell > size)
		return NONE;
	return at <= UINTPTR_MAX - BASE - cell + 1 ? (uint32_t)at : (uint32_t)(UINTPTR_MAX - BASE);
}

/* A random number, of 32 bits. */
static uint32_t next(void)
{
	return (uint32_t)mrand48();
}

static void U1_against_another_computation(void **state)
{
	uint32_t i, held = 0;

	srand48(1);
	for (i = 0; i < 200000; i++) {
		uint32_t cell = next() >> 31 ? 4 : 2;
		uint32_t scale = next() >> (next() >> 27);
		uint32_t size = next() >> (next() >> 27);
		uint32_t offset = next();
		uint32_t pc = offset + (next() >> (next() >> 27)) - (next() >> 31);
		uint32_t want = slowly(size, offset, scale, cell, pc);

		assert_int_equal(where(size, offset, scale, cell, pc), want);
		held += want != NONE;
	}
	assert_true(held > 20000 && held < 180000);
}

/* A buffer never goes on at the lowest address: what would is where an update must fail (U5). */
static void U8_at_the_end_of_memory(void **state)
{
	struct prof_profil_region r = {UINTPTR_MAX - 3, 64, 0, 0x10000};
	prof_addr addr = 1;

	assert_true(prof_profil_find(&r, 1, 4, 3, &addr));
	assert_int_equal(addr, UINTPTR_MAX - 3);
	assert_true(prof_profil_find(&r, 1, 2, 2, &addr));
	assert_int_equal(addr, UINTPTR_MAX - 1);
	assert_true(prof_profil_find(&r, 1, 2, 4, &addr));
	assert_int_equal(addr, UINTPTR_MAX);
	assert_true(prof_profil_find(&r, 1, 4, 4, &addr));
	assert_int_equal(addr, UINTPTR_MAX);
	assert_false(prof_profil_find(&r, 1, 4, 64, &addr));
}

static void U7_regions(void **state)
{
	static const struct prof_profil_region r[] = {
		{0x1000, 0x100, 0x2000, 0x10000}, /* [2000, 2100) */
		{0x3000, 0x20, 0x2080, 0x10000},  /* [2080, 20a0), inside the first */
		{0x4000, 0x10, 0x1000, 0x8000},	  /* [1000, 1020) */
		{0x5000, 0x40, 0x2090, 0},	  /* off */
		{0x6000, 4, 0, 2},		  /* what no other holds */
	};
	static const struct {
		uint32_t pc, addr, without; /* the last region; 0: nowhere */
	} c[] = {
		{0, 0x6000, 0},		   {0xfff, 0x6000, 0},
		{0x1000, 0x4000, 0x4000},  {0x101f, 0x400c, 0x400c},
		{0x1020, 0x6000, 0},	   {0x1fff, 0x6000, 0},
		{0x2000, 0x1000, 0x1000},  {0x207f, 0x107c, 0x107c},
		{0x2080, 0x3000, 0x3000},  {0x209f, 0x301c, 0x301c},
		{0x20a0, 0x10a0, 0x10a0},  {0x20ff, 0x10fc, 0x10fc},
		{0x2100, 0x6000, 0},	   {UINT32_MAX, 0x6000, 0},
	};
	prof_addr addr;
	uint32_t n;
	size_t i;

	for (i = 0; i < nelem(c); i++) {
		assert_true(prof_profil_find(r, nelem(r), 4, c[i].pc, &addr));
		assert_int_equal(addr, c[i].addr);
		n = nelem(r) - 1;
		assert_int_equal(prof_profil_find(r, n, 4, c[i].pc, &addr) ? addr : 0,
				 c[i].without);
	}
	assert_false(prof_profil_find(r, 0, 4, 0x2000, &addr));
}

/* Of two that begin alike the first counts: the overflow region, being last, gets the rest. */
static void U7_regions_that_begin_alike(void **state)
{
	static const struct prof_profil_region r[] = {{0x1000, 16, 0, 0x10000}, {0x2000, 4, 0, 2}};
	prof_addr addr;

	assert_true(prof_profil_find(r, 2, 4, 15, &addr) && addr == 0x100c);
	assert_true(prof_profil_find(r, 2, 4, 16, &addr) && addr == 0x2000);
}

/* Samples that a process gets in so many ticks in user mode; the queue is emptied each time. */
static uint32_t samples(struct prof_profil *f, uint32_t ticks)
{
	struct prof_sample s = {.at.pc = OFF, .what = PROF_USER, .profil = f};
	uint32_t n = 0, i;

	while (ticks-- > 0) {
		machine_tick(&prof, &s);
		for (i = 0; i < f->queued; i++)
			n += f->queue[i].n;
		f->queued = 0;
	}
	return n;
}

static int power_on(void **state)
{
	machine_reset();
	memset(&prof, 0, sizeof(prof));
	prof_profil_start(&prof);
	return 0;
}

static void U9_rate(void **state)
{
	static const uint32_t tick[] = {50, 333, 1000, 3333, 10000, 100000};
	static const uint32_t period[] = {PROF_PROFIL_US, PROF_PROFIL_FAST_US};
	struct prof_profil f = {.queued = 0};
	size_t i, k;

	for (i = 0; i < nelem(tick); i++) {
		for (k = 0; k < nelem(period); k++) {
			uint32_t ticks = 10000000 / tick[i];
			uint32_t want = ticks * tick[i] / period[k], got;

			prof_period(&prof, tick[i]);
			prof_profil_begin(&f, period[k], (uint32_t)i);
			got = samples(&f, ticks);
			assert_in_range(got, want - 1, want + 1);
		}
	}
}

/*
 * Windows that are shorter than a period get their share between them, whatever their length and
 * the process's seed; and those of another period in between take nothing from it.
 */
static void C7_short_windows(void **state)
{
	static const uint32_t ticks[] = {1, 2, 5, 9, 25};
	uint32_t got, seed, k;
	size_t i;

	prof_period(&prof, 500);
	for (i = 0; i < nelem(ticks); i++) {
		for (seed = 0; seed < 50; seed++) {
			struct prof_profil f = {.queued = 0};

			for (got = 0, k = 0; k < 2000 / ticks[i]; k++) {
				prof_profil_begin(&f, PROF_PROFIL_US, seed);
				got += samples(&f, ticks[i]);
			}
			assert_in_range(got, 98, 102);
		}
	}
}

/* Changes between the two periods start anew, at random: only on average is the share due. */
static void C7_windows_of_both_rates(void **state)
{
	uint32_t slow = 0, fast = 0, k;
	struct prof_profil f = {.queued = 0};

	prof_period(&prof, 500);
	for (k = 0; k < 4000; k++) {
		prof_profil_begin(&f, PROF_PROFIL_US, 7);
		slow += samples(&f, 5);
		prof_profil_begin(&f, PROF_PROFIL_FAST_US, 7);
		fast += samples(&f, 5);
	}
	assert_in_range(slow, 900, 1100);
	assert_in_range(fast, 9800, 10200);
}

/* A sample comes in each period, and not always at the same place. */
static void U9_not_in_step(void **state)
{
	struct prof_profil f = {.queued = 0};
	unsigned at[10] = {0}, i, k;

	prof_period(&prof, 1000);
	prof_profil_begin(&f, PROF_PROFIL_US, 7);
	for (i = 0; i < 1000; i++) {
		unsigned n = 0;

		for (k = 0; k < 10; k++) {
			uint32_t got = samples(&f, 1);

			at[k] += got;
			n += got;
		}
		assert_int_equal(n, 1);
	}
	for (k = 0; k < 10; k++)
		assert_in_range(at[k], 50, 150);
}

static void U1_only_user_ticks(void **state)
{
	struct prof_profil f = {.queued = 0};
	struct prof_sample s = {.at.pc = OFF, .what = PROF_KERNEL, .profil = &f};

	prof_period(&prof, 100000);
	prof_profil_begin(&f, PROF_PROFIL_US, 1);
	machine_tick(&prof, &s);
	s.what = PROF_IDLE;
	machine_tick(&prof, &s);
	assert_int_equal(f.queued, 0);
	s.what = PROF_USER;
	s.profil = NULL;
	machine_tick(&prof, &s);
	s.profil = &f;
	prof_profil_stop(&prof);
	machine_tick(&prof, &s);
	assert_int_equal(f.queued, 0);
	prof_profil_start(&prof);
	machine_tick(&prof, &s);
	assert_int_equal(f.queued, 1);
	assert_int_equal(f.queue[0].pc, OFF);
	assert_in_range(f.queue[0].n, 9, 11);
}

static void a_full_queue_drops(void **state)
{
	struct prof_profil f = {.queued = 0};
	struct prof_sample s = {.what = PROF_USER, .profil = &f};
	uint32_t i;

	prof_period(&prof, 100000);
	prof_profil_begin(&f, PROF_PROFIL_US, 1);
	for (i = 0; i < 2 * PROF_PROFIL_QUEUE; i++) {
		s.at.pc = i;
		machine_tick(&prof, &s);
		assert_int_equal(f.queued, i < PROF_PROFIL_QUEUE ? i + 1 : PROF_PROFIL_QUEUE);
	}
	for (i = 0; i < PROF_PROFIL_QUEUE; i++)
		assert_int_equal(f.queue[i].pc, i);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(U1_U2_U3_U8_table),
		cmocka_unit_test(U1_against_another_computation),
		cmocka_unit_test(U8_at_the_end_of_memory),
		cmocka_unit_test(U7_regions),
		cmocka_unit_test(U7_regions_that_begin_alike),
		cmocka_unit_test_setup(U9_rate, power_on),
		cmocka_unit_test_setup(U9_not_in_step, power_on),
		cmocka_unit_test_setup(C7_short_windows, power_on),
		cmocka_unit_test_setup(C7_windows_of_both_rates, power_on),
		cmocka_unit_test_setup(U1_only_user_ticks, power_on),
		cmocka_unit_test_setup(a_full_queue_drops, power_on),
	};

	return RUN(tests, NULL, NULL);
}
