/*
 * prfdc: adds snapshots of the kernel profiler's counters to a log, again and again. It is the data
 * collector of System V's profiler(1M), whose period is in minutes and which ends at an hour.
 * Host: no
 */
#include <err.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include "userland/command/number.h"
#include "userland/command/usage.h"
#include "userland/profile/prfappend.h"
#include "userland/profile/prfdev.h"
#include "userland/profile/prfmain.h"

#define MINUTE 60 /* seconds, as are the next two */
#define HOUR 3600
#define DAY 86400
#define NEVER 24 /* the hour that no day has */

static const char synopsis[] = "prfdc [-f dev] file [period [off_hour]]";

/* Return the time of day. */
static struct timespec now(void)
{
	struct timespec t;

	if (clock_gettime(CLOCK_REALTIME, &t) < 0)
		err(1, "clock");
	return t;
}

/* Wait for the beginning of a second. */
static void wait_until(int64_t second)
{
	struct timespec t = now();

	t.tv_sec = second - t.tv_sec;
	if (t.tv_nsec > 0) {
		t.tv_sec--;
		t.tv_nsec = 1000000000 - t.tv_nsec;
	}
	/* A period that is over, since the log took its time, is not waited for. */
	if (t.tv_sec >= 0 && nanosleep(&t, NULL) < 0)
		err(1, "sleep");
}

/* Return when, after a second, it is that hour (UTC) for the next time; far away for NEVER. */
static int64_t next_hour(int64_t second, int hour)
{
	int64_t past = (second + DAY - hour * HOUR) % DAY;

	return hour == NEVER ? INT64_MAX : second - past + DAY;
}

/* Take a snapshot each period, on a time line that does not drift, and one at the end. */
static void collect(const char *dev, const char *log, int period, int off_hour)
{
	int64_t next = now().tv_sec, end = next_hour(next, off_hour);

	for (;;) {
		prfappend(dev, log);
		/* The last one is taken at the hour itself. */
		if (next >= end)
			return;
		next = next + period < end ? next + period : end;
		wait_until(next);
	}
}

int prfdc_main(int argc, char **argv)
{
	const char *dev = prfdev_option(argc, argv, synopsis);
	int period = 10, off_hour = 17; /* as in System V */

	argc -= optind;
	argv += optind;
	if (argc < 1 || argc > 3)
		usage('?', synopsis);
	if (argc > 1)
		period = number(argv[1], 1, DAY / MINUTE);
	if (argc > 2)
		off_hour = number(argv[2], 0, NEVER);
	collect(dev, argv[0], period * MINUTE, off_hour);
	return 0;
}
