/* Comparing and searching memory. */
#include <stdint.h>
#include <string.h>

/* Compare as unsigned bytes, four at a time until they differ. */
int memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *p = a, *q = b;
	uint32_t v, w;

	for (; n >= sizeof(v); n -= sizeof(v), p += sizeof(v), q += sizeof(v)) {
		__builtin_memcpy(&v, p, sizeof(v));
		__builtin_memcpy(&w, q, sizeof(w));
		if (v != w)
			break;
	}
	for (; n > 0; n--, p++, q++) {
		if (*p != *q)
			return *p - *q;
	}
	return 0;
}

/* Return the first c among n bytes, or NULL. */
void *memchr(const void *p, int c, size_t n)
{
	const unsigned char *s = p;

	for (; n > 0; n--, s++) {
		if (*s == (unsigned char)c)
			return (void *)s;
	}
	return NULL;
}

/* Return the last c among n bytes, or NULL. */
void *memrchr(const void *p, int c, size_t n)
{
	const unsigned char *s = p;

	while (n-- > 0) {
		if (s[n] == (unsigned char)c)
			return (void *)(s + n);
	}
	return NULL;
}

/*
 * Return the first place of the nsub bytes at sub among the n bytes at p, or NULL. None are
 * at p.
 */
void *memmem(const void *p, size_t n, const void *sub, size_t nsub)
{
	const char *s = p;

	if (nsub == 0)
		return (void *)p;
	while (n >= nsub) {
		const char *hit = memchr(s, *(const unsigned char *)sub, n - nsub + 1);

		if (!hit)
			return NULL;
		if (memcmp(hit, sub, nsub) == 0)
			return (void *)hit;
		n -= hit + 1 - s;
		s = hit + 1;
	}
	return NULL;
}
