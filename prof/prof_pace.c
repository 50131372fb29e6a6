/* The length of ticks: see prof_pace.h. */
#include "prof/prof_pace.h"

#include <stdbool.h>

void prof_pace_set(struct prof_pace *pace, uint32_t ticks, uint32_t us)
{
	if (us == pace->us)
		return;
	pace->us_before += (uint64_t)(ticks - pace->ticks_before) * pace->us;
	pace->rates += ticks > pace->ticks_before;
	pace->ticks_before = ticks;
	pace->us = us;
}

uint32_t prof_pace_mean(const struct prof_pace *pace, uint32_t ticks)
{
	if (ticks == 0)
		return pace->us;
	uint64_t us = pace->us_before + (uint64_t)(ticks - pace->ticks_before) * pace->us;
	return (uint32_t)prof_divide(us + (ticks >> 1), ticks);
}

/*
 * It is written out because compilers for some machines turn a division, or a shift by a
 * variable count, into a library call. Bit by bit the quotient takes the place of n. Where its
 * upper half is 0, as it nearly always is, the first 32 bits are not gone through.
 */
uint64_t prof_divide(uint64_t n, uint32_t by)
{
	uint32_t high = (uint32_t)(n >> 32), low = (uint32_t)n, rest = 0;
	int bits = 64;

	if (high < by) {
		rest = high;
		high = low;
		low = 0;
		bits = 32;
	}
	for (; bits > 0; bits--) {
		int32_t before = (int32_t)rest; /* below 0: a bit is shifted out of it */

		rest = rest << 1 | high >> 31;
		high = high << 1 | low >> 31;
		low <<= 1;
		if (before < 0 || rest >= by) {
			rest -= by;
			low++;
		}
	}
	return (uint64_t)high << 32 | low;
}
