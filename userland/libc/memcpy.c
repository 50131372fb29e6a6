/* Copying and filling memory. */
#include <stdint.h>
#include <string.h>

/* Copy n bytes between areas that do not overlap, four at a time. */
void *memcpy(void *to, const void *from, size_t n)
{
	void *p = to;
	size_t words = n / 4;

	__asm__ volatile("rep movsl" : "+D"(p), "+S"(from), "+c"(words) : : "memory");
	n %= 4;
	__asm__ volatile("rep movsb" : "+D"(p), "+S"(from), "+c"(n) : : "memory");
	return to;
}

/*
 * Copy n bytes between areas that may overlap. Only if the copy begins inside the original
 * does it have to run backwards.
 */
void *memmove(void *to, const void *from, size_t n)
{
	unsigned char *t = to;
	const unsigned char *f = from;
	uint32_t word;

	if ((uintptr_t)to - (uintptr_t)from >= n)
		return memcpy(to, from, n);
	while (n >= sizeof(word)) {
		n -= sizeof(word);
		__builtin_memcpy(&word, f + n, sizeof(word));
		__builtin_memcpy(t + n, &word, sizeof(word));
	}
	while (n-- > 0)
		t[n] = f[n];
	return to;
}

/* Fill n bytes with the low byte of c. */
void *memset(void *p, int c, size_t n)
{
	uint32_t word = (unsigned char)c * 0x01010101u;
	void *to = p;
	size_t words = n / 4;

	__asm__ volatile("rep stosl" : "+D"(to), "+c"(words) : "a"(word) : "memory");
	n %= 4;
	__asm__ volatile("rep stosb" : "+D"(to), "+c"(n) : "a"(word) : "memory");
	return p;
}
