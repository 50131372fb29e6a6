/* Memory and strings, as in C's <string.h>; the compiler itself calls the first four. */
#include "kernel/machine/string.h"

/* Set n bytes at p to c. */
void *memset(void *p, int c, size_t n)
{
	void *to = p;
	uint32_t word = (uint8_t)c * 0x01010101u;
	size_t words = n / 4;

	n %= 4;
	__asm__ volatile("rep stosl" : "+D"(to), "+c"(words) : "a"(word) : "memory");
	__asm__ volatile("rep stosb" : "+D"(to), "+c"(n) : "a"(word) : "memory");
	return p;
}

/* Copy n bytes; the two places do not overlap. */
void *memcpy(void *to, const void *from, size_t n)
{
	void *d = to;
	size_t words = n / 4;

	n %= 4;
	__asm__ volatile("rep movsl" : "+D"(d), "+S"(from), "+c"(words) : : "memory");
	__asm__ volatile("rep movsb" : "+D"(d), "+S"(from), "+c"(n) : : "memory");
	return to;
}

/* Copy n bytes; the two places may overlap. */
void *memmove(void *to, const void *from, size_t n)
{
	uint8_t *d = to;
	const uint8_t *s = from;

	if ((uintptr_t)d - (uintptr_t)s >= n) /* far more if d is before s */
		return memcpy(to, from, n);
	while (n-- > 0)
		d[n] = s[n];
	return to;
}

/* Compare n bytes as unsigned numbers: less than 0, 0, or more. */
int memcmp(const void *a, const void *b, size_t n)
{
	const uint8_t *x = a, *y = b;

	for (size_t i = 0; i < n; i++)
		if (x[i] != y[i])
			return x[i] - y[i];
	return 0;
}

/* Count the characters before the NUL. */
size_t strlen(const char *s)
{
	size_t n = 0;

	while (s[n])
		n++;
	return n;
}

/* Compare two strings: less than 0, 0, or more. */
int strcmp(const char *a, const char *b)
{
	return strncmp(a, b, SIZE_MAX);
}

/* Compare at most n characters of two strings. */
int strncmp(const char *a, const char *b, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (a[i] != b[i])
			return (uint8_t)a[i] - (uint8_t)b[i];
		if (!a[i])
			break;
	}
	return 0;
}

/* Find the first c in s, which may be the NUL; or NULL. */
char *strchr(const char *s, int c)
{
	for (; *s != (char)c; s++)
		if (!*s)
			return NULL;
	return (char *)s;
}

/* Return the last part of a path, which is what comes after its last slash. */
const char *path_last(const char *path)
{
	const char *last = path;

	for (; *path; path++)
		if (*path == '/')
			last = path + 1;
	return last;
}

/* Copy what fits into size bytes with its NUL. Return the length of from. */
size_t strlcpy(char *to, const char *from, size_t size)
{
	size_t len = strlen(from);

	if (size > 0) {
		size_t n = min_size(len, size - 1);

		memcpy(to, from, n);
		to[n] = 0;
	}
	return len;
}

/* Return the value of a digit, hexadecimal ones included; UINT32_MAX if c is none. */
static uint32_t digit_value(char c)
{
	uint32_t digit = (uint32_t)c - '0', letter = (uint32_t)(c | 0x20) - 'a';

	if (digit < 10)
		return digit;
	return letter < 6 ? letter + 10 : UINT32_MAX;
}

/* Convert s if all of it is an unsigned number, decimal, or hexadecimal after 0x. */
bool parse_uint(const char *s, uint32_t *out)
{
	uint32_t base = 10, v = 0;

	if (s[0] == '0' && (s[1] | 0x20) == 'x') {
		base = 16;
		s += 2;
	}
	if (!*s)
		return false;
	for (; *s; s++) {
		uint32_t digit = digit_value(*s);
		if (digit >= base || v > (UINT32_MAX - digit) / base)
			return false;
		v = v * base + digit;
	}
	*out = v;
	return true;
}
