/* Comparing memory. Optimize: speed. */
#include <string.h>
#include "userland/libc/libc.h"

/*
 * Compare words until they differ, and then bytes, beginning with those of the last word: it may be
 * the one that differs.
 */
size_t __memsame(const void *a, const void *b, size_t n)
{
	const char *p = a, *q = b, *end = p + n;
	size_t words = n / 4;

	if (words > 0) {
		__asm__ volatile("repe cmpsl" : "+S"(p), "+D"(q), "+c"(words) : : "cc", "memory");
		p -= 4;
		q -= 4;
	}
	for (; p < end && *p == *q; p++)
		q++;
	return (size_t)(p - (const char *)a);
}

/* Compare as unsigned bytes. */
int memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *p = a, *q = b;
	size_t same = __memsame(a, b, n);

	return same < n ? p[same] - q[same] : 0;
}
