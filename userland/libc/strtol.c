/* Numbers from text. */
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
static unsigned digit(char c)
{
	if (isdigit((unsigned char)c))
		return c - '0';
	if (isalpha((unsigned char)c))
		return tolower((unsigned char)c) - 'a' + 10;
	return 36;
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

/*
 * Read spaces, a sign and digits. *end, unless end is NULL, is where it stopped, or s if
 * there are no digits. EINVAL for an impossible base.
 */
static struct number parse(const char *s, char **end, unsigned base)
{
	struct number n = {0, false, false};
	const char *p = s, *first;
	unsigned d;

	if (end)
		*end = (char *)s;
	if (base == 1 || base > 36) {
		errno = EINVAL;
		return n;
	}
	while (isspace((unsigned char)*p))
		p++;
	n.negative = *p == '-';
	if (*p == '-' || *p == '+')
		p++;
	p = first = prefix(p, &base);
	for (; (d = digit(*p)) < base; p++) {
		n.overflow |= __builtin_mul_overflow(n.magnitude, base, &n.magnitude) ||
			      __builtin_add_overflow(n.magnitude, d, &n.magnitude);
	}
	if (p != first && end)
		*end = (char *)p;
	return n;
}

/* Return the number within [-max - 1, max], the nearest with ERANGE if it is outside. */
static long long clamp(struct number n, unsigned long long max)
{
	if (n.overflow || n.magnitude > max + n.negative) {
		errno = ERANGE;
		n.magnitude = max + n.negative;
	}
	return (long long)(n.negative ? -n.magnitude : n.magnitude);
}

/*
 * Return the number within [0, max], or max with ERANGE. A negative one is counted down from
 * max + 1, as C wants.
 */
static unsigned long long clamp_unsigned(struct number n, unsigned long long max)
{
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
	return (long)clamp(parse(s, end, base), LONG_MAX);
}

/* As strtol(). A minus is allowed, and negates as unsigned numbers do. */
unsigned long strtoul(const char *s, char **end, int base)
{
	return (unsigned long)clamp_unsigned(parse(s, end, base), ULONG_MAX);
}

/* As strtol(). */
long long strtoll(const char *s, char **end, int base)
{
	return clamp(parse(s, end, base), LLONG_MAX);
}

/* As strtoul(). */
unsigned long long strtoull(const char *s, char **end, int base)
{
	return clamp_unsigned(parse(s, end, base), ULLONG_MAX);
}
