/* Clocks and sleeping. */
#include <errno.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>
#include "kernel/abi/timepage.h"
#include "userland/libc/libc.h"

#define SECOND 1000000000 /* ns */

/* Read CLOCK_REALTIME or CLOCK_MONOTONIC, without the kernel. EINVAL for other clocks. */
int clock_gettime(clockid_t clock, struct timespec *ts)
{
	const struct time_page *t = (const struct time_page *)TIME_PAGE;
	uint64_t now, ns;
	uint32_t sec, rest;

	if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
		return __sysret(-EINVAL);
	__asm__ volatile("rdtsc" : "=A"(now));
	ns = time_page_ns(t, now - t->start);
	/* One division does: it is less than 2^32 seconds since the start. */
	__asm__("divl %2" : "=a"(sec), "=d"(rest) : "rm"(SECOND), "A"(ns));
	ts->tv_nsec = (int32_t)rest;
	ts->tv_sec = sec;
	if (clock == CLOCK_REALTIME)
		ts->tv_sec += t->unix_start;
	return 0;
}

/* Return the seconds since 1970, and store them in *t unless that is NULL. */
time_t time(time_t *t)
{
	struct timespec ts;

	if (clock_gettime(CLOCK_REALTIME, &ts) < 0)
		return -1;
	if (t)
		*t = ts.tv_sec;
	return ts.tv_sec;
}

/* Store the time of day, in microseconds. There are no time zones for the second argument. */
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

/* Return the ticks since boot, CLK_TCK a second, and store those that this process used. EFAULT. */
clock_t times(struct tms *buf)
{
	struct tms unused;

	return __sysret(sys1(SYS_times, (int)(buf ? buf : &unused)));
}

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

/* Sleep, and return the whole seconds that were left when a signal ended it, or 0. */
unsigned sleep(unsigned seconds)
{
	struct timespec ts = {seconds, 0};

	return nanosleep(&ts, &ts) < 0 ? (unsigned)ts.tv_sec : 0;
}

/* Sleep for some microseconds. */
int usleep(unsigned microseconds)
{
	struct timespec ts = {microseconds / 1000000, (int)(microseconds % 1000000) * 1000};

	return nanosleep(&ts, NULL);
}
