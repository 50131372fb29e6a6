/* The MC146818 real-time clock, and its descendants, in CMOS memory. */
#include "drivers/clock/rtc.h"
#include "drivers/bus/acpi.h"
#include "kernel/lib.h"

#define CMOS_INDEX 0x70 /* bit 7 would mask NMIs: always written 0 */
#define CMOS_DATA 0x71

#define REG_STATUS_A 0x0a
#define STATUS_A_UPDATE 0x80
#define REG_STATUS_B 0x0b
#define STATUS_B_24H 0x02
#define STATUS_B_BINARY 0x04
#define HOUR_PM 0x80

#define UPDATE_READS 100000 /* an update lasts 2 ms at most */
#define TRIES 5

static uint8_t cmos(uint8_t reg)
{
	outb(CMOS_INDEX, reg);
	return inb(CMOS_DATA);
}

/* Read all registers, outside an update if the clock has any. */
static struct rtc_raw read_raw(void)
{
	for (unsigned i = 0; i < UPDATE_READS && (cmos(REG_STATUS_A) & STATUS_A_UPDATE); i++)
		;
	return (struct rtc_raw){
		.second = cmos(0), .minute = cmos(2), .hour = cmos(4), .day = cmos(7),
		.month = cmos(8), .year = cmos(9),
		.century = acpi->century ? cmos(acpi->century) : 0,
		.status_b = cmos(REG_STATUS_B),
	};
}

/* Return the days from 1970-01-01 to a date of the Gregorian calendar, of 1970 or later. */
static int64_t days(unsigned year, unsigned month, unsigned day)
{
	/* The year begins in March, so that the leap day is its last. */
	unsigned m = (month + 9) % 12, y = year - (month <= 2);

	return (int64_t)y * 365 + y / 4 - y / 100 + y / 400 + (m * 153 + 2) / 5 + day - 1 - 719468;
}

int64_t rtc_decode(const struct rtc_raw *raw)
{
	unsigned v[7] = {raw->second, raw->minute, raw->hour & (uint8_t)~HOUR_PM, raw->day,
			 raw->month, raw->year, raw->century};
	unsigned i, year;

	for (i = 0; i < nelem(v) && !(raw->status_b & STATUS_B_BINARY); i++)
		v[i] = (v[i] >> 4) * 10 + (v[i] & 15);
	if (!(raw->status_b & STATUS_B_24H))
		v[2] = v[2] % 12 + (raw->hour & HOUR_PM ? 12 : 0);
	if (v[6] >= 19 && v[6] <= 29)
		year = v[6] * 100 + v[5];
	else
		year = (v[5] >= 70 ? 1900 : 2000) + v[5];
	if (v[0] > 60 || v[1] > 59 || v[2] > 23 || v[3] < 1 || v[3] > 31 || v[4] < 1 ||
	    v[4] > 12 || v[5] > 99 || year < 1970)
		return 0;
	return days(year, v[4], v[3]) * 86400 + v[2] * 3600 + v[1] * 60 + v[0];
}

/* Read until two answers are the same: no update has torn that one. */
int64_t rtc_time(void)
{
	struct rtc_raw a = read_raw(), b;

	for (unsigned i = 0; i < TRIES; i++) {
		b = a;
		a = read_raw();
		if (memcmp(&a, &b, sizeof(a)) == 0)
			return rtc_decode(&a);
	}
	return 0;
}
