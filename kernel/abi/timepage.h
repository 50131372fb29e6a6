/* The page by which clock_gettime(3) tells the time without a system call. */
#pragma once

#include <stdint.h>

/*
 * Programs may read this at TIME_PAGE. It never changes. The time is time_page_ns() of what the
 * cycle counter has counted since the start.
 */
#define TIME_PAGE 0xFC000000u
struct time_page {
	uint64_t start;		/* the cycle counter at time 0 */
	int64_t unix_start;	/* seconds since 1970 then */
	uint32_t mult, shift;	/* ns = cycles * mult >> shift; shift is at most 32 */
};

static inline uint64_t time_page_ns(const struct time_page *t, uint64_t cycles)
{
	uint32_t high = (uint32_t)(cycles >> 32), low = (uint32_t)cycles;

	return ((uint64_t)high * t->mult << (32 - t->shift)) +
	       ((uint64_t)low * t->mult >> t->shift);
}
