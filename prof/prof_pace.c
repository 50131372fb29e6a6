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
 * variable count, into a library call. Bit by bit the quotient takes the place of n.
 */
uint64_t prof_divide(uint64_t n, uint32_t by)
{
	uint32_t rest = 0;

	for (int bit = 0; bit < 64; bit++) {
		bool carry = rest >> 31;

		rest = rest << 1 | (uint32_t)(n >> 63);
		n <<= 1;
		if (carry || rest >= by) {
			rest -= by;
			n |= 1;
		}
	}
	return n;
}
