/* The MC146818 real-time clock, and its descendants, in CMOS memory. */
#include "drivers/clock/rtc.h"
#include "drivers/bus/acpi.h"
#include "kernel/machine/string.h"

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

static uint8_t rtc_read(uint8_t reg)
{
	outb(CMOS_INDEX, reg);
	return inb(CMOS_DATA);
}

/* Read all registers, while the clock updates none of them. */
static struct rtc_raw rtc_read_all(void)
{
	for (unsigned i = 0; i < UPDATE_READS; i++)
		if (!(rtc_read(REG_STATUS_A) & STATUS_A_UPDATE))
			break;
	struct rtc_raw raw = {
		.second = rtc_read(0), .minute = rtc_read(2), .hour = rtc_read(4),
		.day = rtc_read(7), .month = rtc_read(8), .year = rtc_read(9),
		.status_b = rtc_read(REG_STATUS_B),
	};
	if (acpi->century)
		raw.century = rtc_read(acpi->century);
	return raw;
}

/* Return the days from 1970-01-01 to a date of the Gregorian calendar, of 1970 or later. */
static int64_t rtc_days(unsigned year, unsigned month, unsigned day)
{
	/* The year begins in March, so that the leap day is its last. */
	unsigned m = (month + 9) % 12, y = year - (month <= 2);

	return (int64_t)y * 365 + y / 4 - y / 100 + y / 400 + (m * 153 + 2) / 5 + day - 1 - 719468;
}

/* Return the number in a register: two decimal digits, unless the clock counts in binary. */
static unsigned rtc_number(unsigned v, uint8_t status_b)
{
	if (status_b & STATUS_B_BINARY)
		return v;
	return (v >> 4) * 10 + (v & 15);
}

/* Return the hour, 0 to 23. */
static unsigned rtc_hour(const struct rtc_raw *raw)
{
	unsigned hour = rtc_number(raw->hour & (uint8_t)~HOUR_PM, raw->status_b);

	if (raw->status_b & STATUS_B_24H)
		return hour;
	hour %= 12; /* 12 o'clock begins either half of the day */
	if (raw->hour & HOUR_PM)
		hour += 12;
	return hour;
}

/* Return the year, from its last two digits and the century, which only some clocks count. */
static unsigned rtc_year(unsigned year, unsigned century)
{
	if (in_range(century, 19, 30))
		return century * 100 + year;
	if (year >= 70)
		return 1900 + year;
	return 2000 + year;
}

int64_t rtc_decode(const struct rtc_raw *raw)
{
	unsigned second = rtc_number(raw->second, raw->status_b);
	unsigned minute = rtc_number(raw->minute, raw->status_b), hour = rtc_hour(raw);
	unsigned day = rtc_number(raw->day, raw->status_b);
	unsigned month = rtc_number(raw->month, raw->status_b);
	unsigned short_year = rtc_number(raw->year, raw->status_b);
	unsigned year = rtc_year(short_year, rtc_number(raw->century, raw->status_b));
	const struct {
		unsigned is, least, most;
	} parts[] = {
		{second, 0, 60}, {minute, 0, 59}, {hour, 0, 23}, {day, 1, 31}, {month, 1, 12},
		{short_year, 0, 99}, {year, 1970, UINT32_MAX},
	};

	for (unsigned i = 0; i < nelem(parts); i++)
		if (!in_range(parts[i].is, parts[i].least, parts[i].most + 1))
			return 0;
	return rtc_days(year, month, day) * 86400 + hour * 3600 + minute * 60 + second;
}

/* Read until two answers are the same: no update has torn that one. */
int64_t rtc_time(void)
{
	struct rtc_raw a = rtc_read_all(), b;

	for (unsigned i = 0; i < TRIES; i++) {
		b = a;
		a = rtc_read_all();
		if (memcmp(&a, &b, sizeof(a)) == 0)
			return rtc_decode(&a);
	}
	return 0;
}
