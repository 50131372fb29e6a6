/* Sorted arrays of any elements: adding up equal ones, and finding an address. */
#ifndef TOOLS_SORTED_H
#define TOOLS_SORTED_H

#include <stddef.h>
#include <stdint.h>

/* Add the element `from` to its equal `to`; a pointer that only `from` owns is freed. */
typedef void sorted_add(void *to, const void *from);

/*
 * Sort n elements of `size` bytes by what qsort(3) takes, and add those that it calls equal up into
 * one. Return how many are left, at the array's beginning; what is behind them means nothing.
 */
size_t sorted_sum(void *array, size_t n, size_t size, int (*compare)(const void *, const void *),
		  sorted_add *add);

/* How many of n elements are below a limit: each begins with a uint64_t, and these ascend. */
size_t sorted_below(const void *array, size_t n, size_t size, uint64_t limit);

#endif
