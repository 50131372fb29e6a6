/* Sorting by a heap, which needs no memory and has no bad cases. */
#include <stdint.h>
#include "userland/libc/libc.h"

struct heap {
	char *base;
	size_t size; /* of an element */
	int (*cmp)(const void *, const void *);
};
/* Return the address of element i. */
static char *element(const struct heap *h, size_t i)
{
	return h->base + i * h->size;
}

/* Exchange two elements, by words as far as they go. */
static void swap(const struct heap *h, size_t i, size_t j)
{
	char *a = element(h, i), *b = element(h, j);
	size_t n = h->size;

	for (; n >= sizeof(uint32_t); n -= sizeof(uint32_t)) {
		uint32_t v, w;

		__builtin_memcpy(&v, a, sizeof(v));
		__builtin_memcpy(&w, b, sizeof(w));
		__builtin_memcpy(a, &w, sizeof(w));
		__builtin_memcpy(b, &v, sizeof(v));
		a += sizeof(v);
		b += sizeof(v);
	}
	while (n-- > 0) {
		char c = *a;

		*a++ = *b;
		*b++ = c;
	}
}

/*
 * Make [i, n) a heap if [i + 1, n) is one. Follow the path of the larger children to its
 * leaf, climb to where element i belongs, and move the elements above that place up by one.
 * This takes about half the comparisons of sinking element i step by step.
 */
static void sink(const struct heap *h, size_t i, size_t n)
{
	size_t j = i;

	while (2 * j + 2 < n) {
		size_t child = 2 * j + 1;

		if (h->cmp(element(h, child), element(h, child + 1)) < 0)
			child++;
		j = child;
	}
	if (2 * j + 2 == n)
		j = 2 * j + 1;
	while (j != i && h->cmp(element(h, i), element(h, j)) > 0)
		j = (j - 1) / 2;
	/* Swapping with each place of the path, from the lowest one up, rotates it. */
	for (; j != i; j = (j - 1) / 2)
		swap(h, i, j);
}

void __heapsort(void *base, size_t n, size_t size, int (*cmp)(const void *, const void *))
{
	struct heap h = {base, size, cmp};
	size_t i;

	for (i = n / 2; i-- > 0;)
		sink(&h, i, n);
	for (i = n; i-- > 1;) {
		swap(&h, 0, i);
		sink(&h, 0, i);
	}
}
