/* Copying and filling memory. Optimize: speed. */
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
 * Copy n bytes between areas that may overlap. Only if the copy begins inside the original does it
 * have to run backwards, from the last word on.
 */
void *memmove(void *to, const void *from, size_t n)
{
	char *t = to;
	const char *f = from;

	if ((uintptr_t)to - (uintptr_t)from >= n)
		return memcpy(to, from, n);
	for (; n % 4 > 0; n--)
		t[n - 1] = f[n - 1];
	t += n - 4;
	f += n - 4;
	n /= 4;
	__asm__ volatile("std; rep movsl; cld" : "+D"(t), "+S"(f), "+c"(n) : : "memory");
	return to;
}

/* Fill n bytes with the low byte of c. */
void *memset(void *p, int c, size_t n)
{
	uint32_t word = (unsigned char)c * 0x01010101u;
	char *to = p;

	for (; n % 4 > 0; n--)
		to[n - 1] = (char)word;
	n /= 4;
	__asm__ volatile("rep stosl" : "+D"(to), "+c"(n) : "a"(word) : "memory");
	return p;
}
