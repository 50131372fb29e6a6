/*
 * The real-time clock's date, and the cycle counter's rate, on simulated hardware.
 * Links: drivers/clock/rtc.c drivers/clock/tsc.c tests/drivers/fakes.c
 */
#include "drivers/bus/acpi.h"
#include "drivers/clock/rtc.h"
#include "drivers/clock/tsc.h"
#include "tests/drivers/fakes.h"

#define DISTURBED 12 /* calibrations */

static uint8_t cmos[64], cmos_index;
static unsigned updating; /* reads of status A that still show an update */
static uint64_t tsc, true_hz, stall; /* how long the calibration is kept from looking */
static uint64_t loaded_at;
static uint32_t loading, count;
static unsigned loads;
static struct acpi tables;
const struct acpi *const acpi = &tables;

uint64_t rdtsc(void)
{
	return tsc += 50;
}

/* Channel 2 counts from the write of its high byte on; the first ones are held up. */
void outb(uint16_t port, uint8_t v)
{
	tsc += 700;
	if (port == 0x70)
		cmos_index = v & 63;
	if (port != 0x42)
		return;
	if (loading++ % 2 == 0) {
		count = v;
	} else {
		count |= (uint32_t)v << 8;
		loaded_at = tsc;
		if (++loads <= DISTURBED)
			stall = true_hz / 100;
	}
}

uint8_t inb(uint16_t port)
{
	tsc += 700;
	if (port == 0x61) {
		bool over = (tsc - loaded_at) * 1193182 / true_hz >= count;

		if (over) {
			tsc += stall;
			stall = 0;
		}
		return over ? 0x20 : 0;
	}
	if (cmos_index == 0x0a && updating > 0)
		return updating--, 0x80;
	return cmos[cmos_index];
}

void *p2v(uint32_t pa)
{
	(void)pa;
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
		{{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, 0},	     /* no clock there */
	};
	unsigned i;

	(void)state;
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

	(void)state;
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

	(void)state;
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
	};
	unsigned i;

	(void)state;
	for (i = 0; i < nelem(cases); i++)
		assert_int_equal(tsc_round_hz(cases[i].measured), cases[i].meant);
}

/* tsc_hz() measures once; the first looks at the end of it come far too late. */
static void a_disturbed_calibration_is_repeated(void **state)
{
	(void)state;
	true_hz = 2593905123;
	assert_in_range(tsc_hz(), true_hz - true_hz / 2000, true_hz + true_hz / 2000);
	assert_int_equal(loads, DISTURBED + 1);
	assert_in_range(tsc_hz(), true_hz - true_hz / 2000, true_hz + true_hz / 2000);
	assert_int_equal(loads, DISTURBED + 1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(dates),
		cmocka_unit_test(days_follow_each_other),
		cmocka_unit_test(an_update_is_waited_for),
		cmocka_unit_test(round_rates_are_recognised),
		cmocka_unit_test(a_disturbed_calibration_is_repeated),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
