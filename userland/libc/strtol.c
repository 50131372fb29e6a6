/* Numbers from text. Optimize: speed. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

struct number {
	unsigned long long magnitude;
	bool negative;
	bool overflow; /* more than magnitude can hold */
};

/* Return the value of a digit in bases up to 36, or 36. */
static inline unsigned digit(char c)
{
	unsigned d = (unsigned)c - '0';

	if (d < 10)
		return d;
	d = ((unsigned)c | 0x20) - 'a'; /* small letters and capitals differ in that bit */
	if (d < 26)
		return d + 10;
	return 36;
}

/* As isspace(), without a call. */
static inline bool is_space(char c)
{
	return c == ' ' || (unsigned)c - '\t' <= '\r' - '\t';
}

/* Skip a 0x that base 16 may have, and find the base that 0 stands for. */
static const char *prefix(const char *s, unsigned *base)
{
	bool hex = s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && digit(s[2]) < 16;

	if (*base == 0 && hex)
		*base = 16;
	else if (*base == 0)
		*base = s[0] == '0' ? 8 : 10;
	return *base == 16 && hex ? s + 2 : s;
}

/* Read the digits of a number that a word cannot hold. Return where they end. */
static __attribute__((noinline)) const char *more_digits(struct number *n, const char *p,
							 unsigned base)
{
	unsigned d;

	for (; (d = digit(*p)) < base; p++) {
		n->overflow |= __builtin_mul_overflow(n->magnitude, base, &n->magnitude) ||
			       __builtin_add_overflow(n->magnitude, d, &n->magnitude);
	}
	return p;
}

/* Read digits. Return where they end. */
static const char *digits(struct number *n, const char *p, unsigned base)
{
	unsigned word = 0, most = UINT_MAX / base, d;

	while (word < most && (d = digit(*p)) < base) {
		word = word * base + d;
		p++;
	}
	n->magnitude = word;
	return word < most ? p : more_digits(n, p, base);
}

/*
 * Read spaces, a sign and digits. *end, unless end is NULL, is where it stopped, or s if
 * there are no digits. EINVAL for an impossible base.
 */
static void parse(struct number *n, const char *s, char **end, unsigned base)
{
	const char *p = s, *first;

	n->negative = n->overflow = false;
	if (end)
		*end = (char *)s;
	if (base == 1 || base > 36) {
		errno = EINVAL;
		n->magnitude = 0;
		return;
	}
	while (is_space(*p))
		p++;
	n->negative = *p == '-';
	if (*p == '-' || *p == '+')
		p++;
	first = prefix(p, &base);
	p = digits(n, first, base);
	if (p != first && end)
		*end = (char *)p;
}

/* Read a number within [-max - 1, max]. It is the nearest one with ERANGE if it is outside. */
static long long read_signed(const char *s, char **end, int base, unsigned long long max)
{
	struct number n;

	parse(&n, s, end, base);
	if (n.overflow || n.magnitude > max + n.negative) {
		errno = ERANGE;
		n.magnitude = max + n.negative;
	}
	return (long long)(n.negative ? -n.magnitude : n.magnitude);
}

/*
 * Read a number within [0, max]. It is max with ERANGE if it is outside. A negative one is counted
 * down from max + 1, as C wants.
 */
static unsigned long long read_unsigned(const char *s, char **end, int base,
					unsigned long long max)
{
	struct number n;

	parse(&n, s, end, base);
	if (n.overflow || n.magnitude > max) {
		errno = ERANGE;
		return max;
	}
	return n.negative ? -n.magnitude : n.magnitude;
}

/*
 * Read a number in that base; 0 takes the prefixes 0x and 0. Out of range, it is the nearest
 * with ERANGE. (C11 7.22.1.4)
 */
long strtol(const char *s, char **end, int base)
{
	return (long)read_signed(s, end, base, LONG_MAX);
}

/* As strtol(). A minus is allowed, and negates as unsigned numbers do. */
unsigned long strtoul(const char *s, char **end, int base)
{
	return (unsigned long)read_unsigned(s, end, base, ULONG_MAX);
}

/* As strtol(). */
long long strtoll(const char *s, char **end, int base)
{
	return read_signed(s, end, base, LLONG_MAX);
}

/* As strtoul(). */
unsigned long long strtoull(const char *s, char **end, int base)
{
	return read_unsigned(s, end, base, ULLONG_MAX);
}
