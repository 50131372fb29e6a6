/* Clocks and sleeping. */
#include <errno.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>
#include "userland/libc/libc.h"

#define SECOND 1000000000 /* ns */

/* CLOCK_REALTIME or CLOCK_MONOTONIC; EINVAL for other clocks. */
int clock_gettime(clockid_t clock, struct timespec *ts)
{
	return __sysret(sys2(SYS_clock_gettime, clock, (int)ts));
}

/* Seconds since 1970, which also go to *t unless that is NULL. */
time_t time(time_t *t)
{
	struct timespec ts;

	if (clock_gettime(CLOCK_REALTIME, &ts) < 0)
		return -1;
	if (t)
		*t = ts.tv_sec;
	return ts.tv_sec;
}

/* The time of day in microseconds; there are no time zones to put in the second argument. */
int gettimeofday(struct timeval *tv, void *unused)
{
	struct timespec ts;

	(void)unused;
	if (clock_gettime(CLOCK_REALTIME, &ts) < 0)
		return -1;
	tv->tv_sec = ts.tv_sec;
	tv->tv_usec = ts.tv_nsec / 1000;
	return 0;
}

/* Ticks since boot, CLK_TCK a second; the ticks that this process used go to *buf. */
clock_t times(struct tms *buf)
{
	struct tms unused;

	return sys1(SYS_times, (int)(buf ? buf : &unused));
}

/* How much of `wanted` is left when it began at `start`. */
static void time_left(const struct timespec *wanted, const struct timespec *start,
		      struct timespec *left)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	left->tv_sec = wanted->tv_sec - (now.tv_sec - start->tv_sec);
	left->tv_nsec = wanted->tv_nsec - (now.tv_nsec - start->tv_nsec);
	if (left->tv_nsec < 0) {
		left->tv_nsec += SECOND;
		left->tv_sec--;
	} else if (left->tv_nsec >= SECOND) {
		left->tv_nsec -= SECOND;
		left->tv_sec++;
	}
	if (left->tv_sec < 0)
		*left = (struct timespec){0, 0};
}

/* When it ends early (EINTR), *left, unless NULL, says how much is missing. */
int nanosleep(const struct timespec *ts, struct timespec *left)
{
	struct timespec start;
	int r;

	if (left)
		clock_gettime(CLOCK_MONOTONIC, &start);
	r = __sysret(sys1(SYS_nanosleep, (int)ts));
	if (r < 0 && left && errno == EINTR)
		time_left(ts, &start, left);
	return r;
}

/* The seconds that were left when a signal ended it early, or 0. */
unsigned sleep(unsigned seconds)
{
	struct timespec ts = {seconds, 0};

	return nanosleep(&ts, &ts) < 0 ? (unsigned)ts.tv_sec : 0;
}

int usleep(unsigned microseconds)
{
	struct timespec ts = {microseconds / 1000000, (int)(microseconds % 1000000) * 1000};

	return nanosleep(&ts, NULL);
}
