/* 64-bit division: div64(), which is quick, and what the compiler calls for "/" and "%". */
#include "kernel/machine/lib.h"

uint64_t __udivdi3(uint64_t n, uint64_t d);
uint64_t __umoddi3(uint64_t n, uint64_t d);

/* Divide *n by by, and return the remainder. Takes two hardware divisions. Ticks call it. */
UNSEEN uint32_t div64(uint64_t *n, uint32_t by)
{
	uint32_t high = (uint32_t)(*n >> 32), low = (uint32_t)*n;
	uint32_t qhigh = high / by, qlow, rest;

	__asm__("divl %4" : "=a"(qlow), "=d"(rest) : "0"(low), "1"(high % by), "rm"(by));
	*n = (uint64_t)qhigh << 32 | qlow;
	return rest;
}

/* Return the quotient; a bit at a time if the divisor has more than 32. */
static uint64_t divide(uint64_t n, uint64_t d, uint64_t *rest)
{
	uint64_t q = 0;

	if (d <= UINT32_MAX) {
		*rest = div64(&n, (uint32_t)d);
		return n;
	}
	*rest = 0;
	for (int bit = 63; bit >= 0; bit--) {
		*rest = *rest << 1 | (n >> bit & 1);
		if (*rest >= d) {
			*rest -= d;
			q |= 1ull << bit;
		}
	}
	return q;
}

uint64_t __udivdi3(uint64_t n, uint64_t d)
{
	uint64_t rest;

	return divide(n, d, &rest);
}

uint64_t __umoddi3(uint64_t n, uint64_t d)
{
	uint64_t rest;

	divide(n, d, &rest);
	return rest;
}
