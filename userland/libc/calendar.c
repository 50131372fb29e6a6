/* Seconds since 1970 to dates and back, for the years 1 to 9999 of the Gregorian calendar. */
#include <errno.h>
#include <stdbool.h>
#include <time.h>
#include "userland/libc/libc.h"

#define DAY 86400 /* seconds */
#define YEAR_MIN 1
#define YEAR_MAX 9999
#define DAYS_TO_1970 719162 /* from 1 January of the year 1 */

/* Days of the year before the first of each month, in common years and in leap years. */
static const int16_t month_start[2][13] = {
	{0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365},
	{0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335, 366},
};

/* Return whether the year has a 29 February. */
static bool is_leap(int year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* Return the days from 1 January of the year 1 to 1 January of this year. */
static int year_start(int year)
{
	int y = year - 1;

	return 365 * y + y / 4 - y / 100 + y / 400;
}

/* Return a / b rounded down, for b > 0. C rounds towards 0. */
static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

/*
 * Convert seconds since 1970 to a date, UTC. Return NULL with EOVERFLOW outside the years of
 * this file.
 */
struct tm *gmtime_r(const time_t *t, struct tm *tm)
{
	int64_t days_1970 = floor_div(*t, DAY);
	int second = (int)(*t - days_1970 * DAY);
	int days, year, mon = 0;

	if (days_1970 < -DAYS_TO_1970 || days_1970 >= year_start(YEAR_MAX + 1) - DAYS_TO_1970) {
		errno = EOVERFLOW;
		return NULL;
	}
	days = (int)days_1970 + DAYS_TO_1970;
	/* 400 years have 146097 days; the guess is at most a year off. */
	year = (int)((int64_t)days * 400 / 146097) + 1;
	while (year_start(year) > days)
		year--;
	while (year_start(year + 1) <= days)
		year++;
	tm->tm_year = year - 1900;
	tm->tm_yday = days - year_start(year);
	tm->tm_wday = (days + 1) % 7;
	while (month_start[is_leap(year)][mon + 1] <= tm->tm_yday)
		mon++;
	tm->tm_mon = mon;
	tm->tm_mday = tm->tm_yday - month_start[is_leap(year)][mon] + 1;
	tm->tm_hour = second / 3600;
	tm->tm_min = second / 60 % 60;
	tm->tm_sec = second % 60;
	tm->tm_isdst = 0;
	return tm;
}

/*
 * Convert a date to seconds since 1970. Parts outside their ranges are allowed, and are put
 * right in *tm. Return -1 with EOVERFLOW outside the years of this file.
 */
time_t timegm(struct tm *tm)
{
	int64_t year = tm->tm_year + 1900ll + floor_div(tm->tm_mon, 12);
	int mon = (int)(tm->tm_mon - floor_div(tm->tm_mon, 12) * 12);
	int64_t days;
	time_t t;

	if (year < YEAR_MIN || year > YEAR_MAX)
		return __sysret(-EOVERFLOW);
	days = year_start((int)year) + month_start[is_leap((int)year)][mon] - DAYS_TO_1970;
	days += (int64_t)tm->tm_mday - 1;
	t = days * DAY + tm->tm_hour * 3600ll + tm->tm_min * 60ll + tm->tm_sec;
	return gmtime_r(&t, tm) ? t : -1;
}

/* As timegm(), since local time is UTC. */
time_t mktime(struct tm *tm)
{
	return timegm(tm);
}

/* As gmtime_r(), into memory that the next call overwrites. */
struct tm *gmtime(const time_t *t)
{
	static struct tm tm;

	return gmtime_r(t, &tm);
}

/* As gmtime_r(), since local time is UTC. */
struct tm *localtime_r(const time_t *t, struct tm *tm)
{
	return gmtime_r(t, tm);
}

/* As gmtime(). */
struct tm *localtime(const time_t *t)
{
	return gmtime(t);
}
