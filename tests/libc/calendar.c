/* Dates, against the host's. */
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#include <errno.h>
#include "tests/libc/gn.h"

#define DAY 86400
#define FIRST (-62135596800) /* 1 January of the year 1 */
#define LAST 253402300799    /* the last second of 9999 */

static void assert_same_date(const struct tm *a, const struct tm *b)
{
	assert_int_equal(a->tm_sec, b->tm_sec);
	assert_int_equal(a->tm_min, b->tm_min);
	assert_int_equal(a->tm_hour, b->tm_hour);
	assert_int_equal(a->tm_mday, b->tm_mday);
	assert_int_equal(a->tm_mon, b->tm_mon);
	assert_int_equal(a->tm_year, b->tm_year);
	assert_int_equal(a->tm_wday, b->tm_wday);
	assert_int_equal(a->tm_yday, b->tm_yday);
	assert_int_equal(a->tm_isdst, b->tm_isdst);
}

static void check_time(time_t t)
{
	struct tm ours, theirs, copy;

	assert_non_null(gn_gmtime_r(&t, &ours));
	gmtime_r(&t, &theirs);
	assert_same_date(&ours, &theirs);
	copy = ours;
	assert_true(gn_timegm(&copy) == t);
}

/* The first and last second of every third day of all years, and of every day around now. */
static void dates(void **state)
{
	for (time_t day = FIRST; day < LAST; day += 3 * DAY) {
		check_time(day);
		check_time(day + DAY - 1);
	}
	for (time_t day = 0; day < 100000ll * DAY; day += DAY)
		check_time(day + 45296);
	check_time(FIRST);
	check_time(LAST);
	check_time(-1);
	check_time(951782400); /* 29 February 2000 */
}

static void out_of_range(void **state)
{
	static const time_t times[] = {FIRST - 1, LAST + 1, INT64_MAX, INT64_MIN};
	struct tm tm;

	for (size_t i = 0; i < nelem(times); i++) {
		gn_errno = 0;
		assert_null(gn_gmtime_r(&times[i], &tm));
		assert_int_equal(gn_errno, EOVERFLOW);
		assert_null(gn_ctime(&times[i]));
	}
	tm = (struct tm){.tm_year = 8100, .tm_mday = 1};
	assert_true(gn_timegm(&tm) == -1);
	tm = (struct tm){.tm_year = INT32_MAX, .tm_mon = INT32_MAX};
	assert_true(gn_timegm(&tm) == -1);
}

/* Parts outside their ranges are carried over. */
static void carries(void **state)
{
	static const struct tm row[] = {
		{.tm_year = 100, .tm_mon = 13, .tm_mday = 32},
		{.tm_year = 100, .tm_mon = -1, .tm_mday = 0},
		{.tm_year = 100, .tm_mon = 1, .tm_mday = 29, .tm_hour = 24},
		{.tm_year = 101, .tm_mon = 1, .tm_mday = 29, .tm_sec = -1},
		{.tm_year = 70, .tm_mon = 0, .tm_mday = 1, .tm_min = 100000},
		{.tm_year = 70, .tm_mon = -25, .tm_mday = -400, .tm_sec = INT32_MAX},
	};

	for (size_t i = 0; i < nelem(row); i++) {
		struct tm ours = row[i], theirs = row[i];

		assert_true(gn_timegm(&ours) == timegm(&theirs));
		assert_same_date(&ours, &theirs);
	}
}

static void text(void **state)
{
	static const time_t times[] = {0, 951782399, 1795230398, 1000000000, 4107542399};
	static const char letters[] = "aAbBcCdDeFhHIjmMnpRStTuwxXyYzZ%";
	char ours[100], theirs[100], fmt[8];
	struct tm tm;

	for (size_t i = 0; i < nelem(times); i++) {
		gmtime_r(&times[i], &tm);
		tm.tm_zone = "UTC";
		for (size_t k = 0; letters[k] != '\0'; k++) {
			snprintf(fmt, sizeof(fmt), "<%%%c>", letters[k]);
			assert_int_equal(gn_strftime(ours, sizeof(ours), fmt, &tm),
					 strftime(theirs, sizeof(theirs), fmt, &tm));
			assert_string_equal(ours, theirs);
		}
		gn_strftime(ours, sizeof(ours), "%s", &tm);
		assert_true(strtoll(ours, NULL, 10) == times[i]);
	}
	gn_strftime(ours, sizeof(ours), "%Q 100%", &tm);
	assert_string_equal(ours, "%Q 100%");
	assert_string_equal(gn_ctime(&times[0]), "Thu Jan  1 00:00:00 1970\n");
}

static void does_not_fit(void **state)
{
	time_t t = 0;
	struct tm tm;
	char buf[16];

	gmtime_r(&t, &tm);
	assert_int_equal(gn_strftime(buf, 11, "%F", &tm), 10);
	assert_int_equal(gn_strftime(buf, 10, "%F", &tm), 0);
	assert_int_equal(gn_strftime(buf, 0, "", &tm), 0);
	assert_int_equal(gn_strftime(buf, 1, "", &tm), 0);
	tm.tm_wday = 7;
	tm.tm_mon = -1;
	assert_int_equal(gn_strftime(buf, sizeof(buf), "%a %b", &tm), 3);
	assert_string_equal(buf, "? ?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dates), cmocka_unit_test(out_of_range), cmocka_unit_test(carries),
		cmocka_unit_test(text),	 cmocka_unit_test(does_not_fit),
	};

	setenv("TZ", "UTC", 1);
	return RUN(tests, NULL, NULL);
}
