/* Clocks and sleeping. */
#include <errno.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include "ports/libc/calls.h"

int clock_gettime(clockid_t clock, struct timespec *ts)
{
	/* The kernel calls the two 0 and 1: kernel/abi/time.h. */
	return __sysret(sys2(SYS_clock_gettime, clock != CLOCK_REALTIME, (int)ts));
}

int gettimeofday(struct timeval *tv, void *zone)
{
	struct timespec ts;

	(void)zone;
	if (clock_gettime(CLOCK_REALTIME, &ts) < 0)
		return -1;
	tv->tv_sec = ts.tv_sec;
	tv->tv_usec = ts.tv_nsec / 1000;
	return 0;
}

clock_t times(struct tms *buf)
{
	return (clock_t)__sysret(sys1(SYS_times, (int)buf));
}

/* The two may be one place: newlib's sleep() and usleep() have it so. */
int nanosleep(const struct timespec *ts, struct timespec *left)
{
	struct timespec start, now;
	int r;

	clock_gettime(CLOCK_MONOTONIC, &start);
	r = __sysret(sys1(SYS_nanosleep, (int)ts));
	if (r < 0 && left && errno == EINTR) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		timespecsub(&now, &start, &now);
		timespecsub(ts, &now, left);
		if (left->tv_sec < 0)
			*left = (struct timespec){0, 0};
	}
	return r;
}
