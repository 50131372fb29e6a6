/* nanosleep(): for foreign programs, too. */
#include <errno.h>
#include <time.h>
#include "userland/libc/libc.h"

#define SECOND 1000000000 /* ns */

/* Work out how much of `wanted' is left of a sleep that began at `start'. */
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

/*
 * Sleep. If a signal ends that early (EINTR), store what is left in *left unless that is
 * NULL.
 */
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
