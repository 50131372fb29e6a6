/* Sorted arrays: see sorted.h. */
#include <stdlib.h>
#include <string.h>
#include "tools/sorted.h"

size_t sorted_sum(void *array, size_t n, size_t size, int (*compare)(const void *, const void *),
		  sorted_add *add)
{
	char *kept = array, *at, *end = kept + n * size;

	if (n == 0)
		return 0;
	qsort(array, n, size, compare);
	for (at = kept + size; at < end; at += size) {
		if (compare(kept, at) == 0) {
			add(kept, at);
			continue;
		}
		kept += size;
		if (kept != at)
			memcpy(kept, at, size);
	}
	return (kept - (char *)array) / size + 1;
}

size_t sorted_below(const void *array, size_t n, size_t size, uint64_t limit)
{
	size_t lo = 0, hi = n, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (*(const uint64_t *)((const char *)array + mid * size) < limit)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}
