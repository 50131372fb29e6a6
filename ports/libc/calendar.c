/* timegm(3). */
#include <time.h>

/* As mktime(3), in UTC: that goes by TZ. */
time_t timegm(struct tm *tm)
{
	time_t t;

	tm->tm_isdst = 0;
	t = mktime(tm) - _timezone;
	return gmtime_r(&t, tm) ? t : -1;
}
