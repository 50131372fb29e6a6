/* Time that only goes forward, whatever happens to the calendar. */
#ifndef TOOLS_MOMENT_H
#define TOOLS_MOMENT_H

#include <stdint.h>
#include <time.h>

/* Return nanoseconds since some moment in the past, which is the same as long as the host is up. */
static inline uint64_t moment_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + t.tv_nsec;
}

#endif
