/* Searching a sorted array. */
#include <stdlib.h>

/*
 * Return an element for which cmp(key, element) is 0, or NULL. The array is in ascending
 * order of cmp; of several such elements any may be returned. (C11 7.22.5.1)
 */
void *bsearch(const void *key, const void *base, size_t n, size_t size,
	      int (*cmp)(const void *, const void *))
{
	const char *p = base;

	while (n > 0) {
		const char *mid = p + n / 2 * size;
		int order = cmp(key, mid);

		if (order == 0)
			return (void *)mid;
		if (order > 0) {
			p = mid + size;
			n--;
		}
		n /= 2;
	}
	return NULL;
}
