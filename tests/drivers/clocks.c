/*
 * The real-time clock's date, and the cycle counter's rate, on simulated hardware.
 * Links: drivers/clock/rtc.c drivers/clock/tsc.c tests/drivers/fakes.c
 */
#include "drivers/bus/acpi.h"
#include "drivers/clock/rtc.h"
#include "drivers/clock/tsc.h"
#include "tests/drivers/fakes.h"

static uint8_t cmos[64], cmos_index;
static unsigned updating; /* reads of status A that still show an update */
static uint64_t tsc, true_hz;
static unsigned stall_one_in; /* of so many accesses one is held up, for up to 30 ms */
static unsigned held_up;
static uint32_t latched;
static bool second;		/* the next byte of the 8254's count is the high one */
static uint64_t pit_hz, told_hz; /* what the 8254 counts, what CPUID says */
static struct acpi tables;
const struct acpi *const acpi = &tables;

/* Time passes with each access, and sometimes much. */
static void pass(unsigned cycles)
{
	static uint32_t random = 1;

	random = random * 1664525 + 1013904223;
	tsc += cycles;
	if (stall_one_in != 0 && (random >> 8) % stall_one_in == 0) {
		held_up++;
		tsc += true_hz / 1000 * ((random >> 16) % 30);
	}
}

uint64_t rdtsc(void)
{
	pass(50);
	return tsc;
}

struct cpuid cpuid(uint32_t leaf)
{
	if (leaf == 0x15 && told_hz != 0)
		return (struct cpuid){.eax = 2, .ebx = 200, .ecx = (uint32_t)(told_hz / 100)};
	return (struct cpuid){0};
}

/* What a counter of that rate says now. */
static uint32_t count_of(uint64_t hz)
{
	return (uint32_t)((unsigned __int128)tsc * hz / true_hz);
}

static uint32_t other_count(void)
{
	pass(300);
	return count_of(62500000);
}

uint32_t inl(uint16_t port)
{
	pass(700);
	return port == tables.pm_timer ? count_of(3579545) & 0xffffff : UINT32_MAX;
}

void outb(uint16_t port, uint8_t v)
{
	pass(700);
	if (port == 0x70)
		cmos_index = v & 63;
	if (port == 0x43 && v == 0x80) {
		latched = UINT16_MAX - (count_of(pit_hz) & UINT16_MAX);
		second = false;
	}
}

uint8_t inb(uint16_t port)
{
	pass(700);
	if (port == 0x42) {
		second = !second;
		return (uint8_t)(second ? latched : latched >> 8);
	}
	if (port == 0x61)
		return 0;
	if (cmos_index == 0x0a && updating > 0)
		return updating--, 0x80;
	return cmos[cmos_index];
}

void *p2v(uint32_t pa)
{
	return NULL;
}

static void dates(void **state)
{
	static const struct {
		struct rtc_raw raw;
		int64_t time;
	} cases[] = {
		/* second, minute, hour, day, month, year, century, status: 24 h 2, binary 4 */
		{{0, 0, 0, 1, 1, 70, 19, 6}, 0},
		{{59, 59, 23, 31, 12, 99, 19, 6}, 946684799},
		{{0, 0, 0, 29, 2, 0, 20, 6}, 951782400},
		{{0, 0, 0, 1, 3, 0, 20, 6}, 951868800},
		{{0x30, 0x45, 0x21, 0x21, 0x11, 0x26, 0x20, 2}, 1795297530},
		{{0x30, 0x45, 0x89, 0x21, 0x11, 0x26, 0x20, 0}, 1795297530}, /* 9 PM */
		{{30, 45, 0x89, 21, 11, 26, 20, 4}, 1795297530},
		{{0, 0, 0x12, 1, 1, 0x70, 0x19, 0}, 0},			     /* 12 AM */
		{{0, 0, 0x92, 1, 1, 0x70, 0x19, 0}, 43200},		     /* 12 PM */
		{{0, 0, 0, 1, 1, 38, 0, 6}, 2145916800},		     /* no century: 2038 */
		{{0, 0, 0, 1, 1, 70, 0, 6}, 0},				     /* 1970 */
		{{0, 0, 0, 1, 3, 0, 21, 6}, 4107542400},		     /* 2100: no leap */
		{{0, 0, 0, 0, 1, 26, 20, 6}, 0},			     /* no day 0 */
		{{0, 0, 0, 1, 13, 26, 20, 6}, 0},
		{{0, 0, 24, 1, 1, 26, 20, 6}, 0},
		{{0, 60, 0, 1, 1, 26, 20, 6}, 0},
		{{60, 59, 23, 31, 12, 99, 19, 6}, 946684800},		     /* a leap second */
		{{61, 0, 0, 1, 1, 26, 20, 6}, 0},
		{{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, 0},	     /* no clock there */
	};
	unsigned i;

	for (i = 0; i < nelem(cases); i++)
		if (rtc_decode(&cases[i].raw) != cases[i].time)
			fail_msg("case %u: %lld", i, (long long)rtc_decode(&cases[i].raw));
}

/* Every day of 130 years is the one after the day before. */
static void days_follow_each_other(void **state)
{
	static const uint8_t length[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	unsigned y, m, d;
	int64_t want = 0;

	for (y = 1970; y < 2100; y++)
		for (m = 1; m <= 12; m++)
			for (d = 1; d <= length[m - 1] + (m == 2 && y % 4 == 0 ? 1u : 0u); d++) {
				struct rtc_raw raw = {0, 0, 0, (uint8_t)d, (uint8_t)m,
						      (uint8_t)(y % 100), (uint8_t)(y / 100), 6};

				assert_int_equal(rtc_decode(&raw), want);
				want += 86400;
			}
}

static void an_update_is_waited_for(void **state)
{
	static const uint8_t regs[] = {30, 0, 45, 0, 21, 0, 0, 21, 11, 26, 0, 6};

	memcpy(cmos, regs, sizeof regs);
	cmos[0x32] = 20;
	tables.century = 0x32;
	updating = 100;
	assert_int_equal(rtc_time(), 1795297530);
	assert_int_equal(updating, 0);
	tables.century = 0;
	assert_int_equal(rtc_time(), 1795297530);
	updating = 1000000000; /* no clock: not for ever */
	assert_int_equal(rtc_time(), 1795297530);
	updating = 0;
}

static void round_rates_are_recognised(void **state)
{
	static const struct {
		uint64_t measured, meant;
	} cases[] = {
		{1000000000, 1000000000}, {999850000, 1000000000}, {1000199000, 1000000000},
		{1000300000, 1000300000}, {2593905123, 2593905123}, {2599998000, 2600000000},
		{49999000, 50000000}, {49900000, 49900000}, {4000000, 4000000},
		{1000200040, 1000000000}, {1000200041, 1000200041},
	};
	unsigned i;

	for (i = 0; i < nelem(cases); i++)
		assert_int_equal(tsc_round_hz(cases[i].measured), cases[i].meant);
}

/* Calibrate on such a machine; how many millionths the worst rate is off. */
static unsigned calibrate(uint64_t hz)
{
	uint64_t other, off, off2;

	true_hz = hz;
	other = tsc_calibrate(other_count);
	off = tsc_hz() > hz ? tsc_hz() - hz : hz - tsc_hz();
	off2 = other > 62500000 ? other - 62500000 : 62500000 - other;
	off = off * 1000000 / hz;
	off2 = off2 * 1000000 / 62500000;
	return (unsigned)(off > off2 ? off : off2);
}

/* On a busy host the processor is held up for milliseconds, at any time and often. */
static void c6_a_disturbed_calibration_is_right(void **state)
{
	static const unsigned one_in[] = {0, 1000, 100, 40};
	unsigned i, k;

	pit_hz = 1193182;
	tables.pm_timer = 0x608;
	for (i = 0; i < nelem(one_in); i++) {
		stall_one_in = one_in[i];
		for (k = 0; k < 100; k++) {
			unsigned off = calibrate(2593905123 + k * 7654321);

			if (off >= 1000)
				fail_msg("one in %u, start %u: off by %u ppm", one_in[i], k, off);
		}
	}
	assert_true(held_up > 1000);
	assert_false(fake_logged("agree"));
	tables.pm_timer = 0; /* then by the 8254 */
	stall_one_in = 0;
	assert_in_range(calibrate(2593905123), 0, 999);
	tables.pm_timer = 0x700; /* nothing is there */
	assert_in_range(calibrate(2593905123), 0, 999);
	stall_one_in = 0;
}

static void c6_a_doubtful_rate_is_told(void **state)
{
	tables.pm_timer = 0x608;
	pit_hz = 1193182 * 2;
	told_hz = 2593905100;
	assert_in_range(calibrate(2593905123), 0, 999);
	assert_false(fake_logged("agree"));
	told_hz = 0;
	assert_in_range(calibrate(2593905123), 0, 999);
	assert_true(fake_logged("tsc: no two clocks agree about its rate: time is by the ACPI"));
	pit_hz = 1193182;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(dates),
		cmocka_unit_test(days_follow_each_other),
		cmocka_unit_test(an_update_is_waited_for),
		cmocka_unit_test(round_rates_are_recognised),
		cmocka_unit_test(c6_a_disturbed_calibration_is_right),
		cmocka_unit_test(c6_a_doubtful_rate_is_told),
	};

	return RUN(tests, NULL, NULL);
}
