/* Order among numbers: for functions that qsort(3) calls, and the lesser or greater of two. */
#ifndef TOOLS_ORDER_H
#define TOOLS_ORDER_H

#include <stdint.h>

/*
 * Return -1, 0 or 1: a is less than b, equal, or greater. Swap them to sort descending. Their
 * difference would not do: it may not fit an int.
 */
static inline int order(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* The same of numbers that are not whole; one that is no number is equal to all. */
static inline int order_real(double a, double b)
{
	return (a > b) - (a < b);
}

static inline uint64_t order_min(uint64_t a, uint64_t b)
{
	if (a < b)
		return a;
	return b;
}

static inline uint64_t order_max(uint64_t a, uint64_t b)
{
	if (a > b)
		return a;
	return b;
}

/* Return a + b, or the greatest number if that is less. */
static inline uint64_t order_plus(uint64_t a, uint64_t b)
{
	return a + order_min(b, UINT64_MAX - a);
}

#endif
