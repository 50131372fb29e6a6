/* Clocks and the calendar. Local time is UTC. */
#ifndef TIME_H
#define TIME_H

#include <sys/types.h>
#include "kernel/abi/time.h"

struct tm {
	int tm_sec;
	int tm_min;
	int tm_hour;
	int tm_mday; /* from 1 */
	int tm_mon;  /* from 0 */
	int tm_year; /* since 1900 */
	int tm_wday; /* from Sunday, 0 */
	int tm_yday; /* from 0 */
	int tm_isdst;
};

typedef int clockid_t;

time_t time(time_t *t);
int clock_gettime(clockid_t clock, struct timespec *ts);
int nanosleep(const struct timespec *ts, struct timespec *left);

/* Dates outside the years 1 to 9999 are an error: NULL or -1, with EOVERFLOW. */
struct tm *gmtime(const time_t *t);
struct tm *gmtime_r(const time_t *t, struct tm *tm);
struct tm *localtime(const time_t *t);
struct tm *localtime_r(const time_t *t, struct tm *tm);
time_t timegm(struct tm *tm);
time_t mktime(struct tm *tm);
char *asctime(const struct tm *tm);
char *ctime(const time_t *t);
/*
 * The conversions are %a %A %b %B %c %C %d %D %e %F %h %H %I %j %m %M %n %p %R %s %S %t %T %u %w
 * %x %X %y %Y %z %Z and %%. The result is the length, or 0 if the text does not fit.
 */
size_t strftime(char *buf, size_t size, const char *fmt, const struct tm *tm);

#endif
