/*
 * Sorting by merging: halves are sorted, and then merged. It takes the fewest comparisons, hardly
 * any more than one for each element if they are in order, and memory for half of the elements.
 * Optimize: speed.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "userland/libc/libc.h"

#define FEW 6 /* elements, which are sorted by inserting one after the other */

struct sort {
	size_t size; /* of an element */
	int (*cmp)(const void *, const void *);
	char *half; /* room for half of them */
};

/* Copy an element; most are numbers, pointers, or structures of a few. */
static inline void copy(const struct sort *s, char *to, const char *from)
{
	if (s->size == sizeof(uint32_t))
		__builtin_memcpy(to, from, sizeof(uint32_t));
	else if (s->size == 3 * sizeof(uint32_t))
		__builtin_memcpy(to, from, 3 * sizeof(uint32_t));
	else
		memcpy(to, from, s->size);
}

/* Put each element before the greater ones of those before it, which are sorted. */
static void insert(const struct sort *s, char *p, size_t n)
{
	char *next = p, *at;

	while (--n > 0) {
		next += s->size;
		copy(s, s->half, next);
		for (at = next; at > p && s->cmp(at - s->size, s->half) > 0; at -= s->size)
			copy(s, at, at - s->size);
		copy(s, at, s->half);
	}
}

/*
 * Merge two sorted rows, the second right after the first, which is copied out of the way: then the
 * merged one never comes to elements that are still to be merged.
 */
static void merge(const struct sort *s, char *p, char *second, char *end)
{
	size_t size = s->size, n = second - p;
	char *first = s->half, *first_end = first + n;

	memcpy(first, p, n);
	while (second < end) {
		while (s->cmp(first, second) <= 0) {
			copy(s, p, first);
			p += size;
			first += size;
			if (first == first_end)
				return;
		}
		copy(s, p, second);
		p += size;
		second += size;
	}
	memcpy(p, first, first_end - first);
}

/* The depth is the logarithm of n. */
static void sort(const struct sort *s, char *p, size_t n)
{
	char *second = p + n / 2 * s->size;

	if (n <= FEW) {
		insert(s, p, n);
		return;
	}
	sort(s, p, n / 2);
	sort(s, second, n - n / 2);
	if (s->cmp(second - s->size, second) > 0)
		merge(s, p, second, p + n * s->size);
}

/*
 * Put n elements in ascending order of cmp. Equal ones keep theirs, unless there is no memory for
 * half of the elements.
 */
void qsort(void *base, size_t n, size_t size, int (*cmp)(const void *, const void *))
{
	struct sort s = {size, cmp, NULL};

	if (n < 2)
		return;
	s.half = malloc((n / 2 + 1) * size);
	if (s.half)
		sort(&s, base, n);
	else
		__heapsort(base, n, size, cmp);
	free(s.half);
}
