/*
 * Formatted text: what all functions of printf's family share (C11 7.21.6.1). There are no
 * floating-point conversions, which no program here needs, and no %n.
 */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include "userland/libc/file.h"
#include "userland/libc/libc.h"

/* How an argument's size differs from int. */
enum size {
	SIZE_CHAR = -2,
	SIZE_SHORT = -1,
	SIZE_INT,
	SIZE_LONG,
	SIZE_LLONG,
};

/* One conversion, from the % to its letter. */
struct spec {
	bool left, zero, plus, space, alt;
	int width;
	int precision; /* -1: none */
	enum size size;
	char letter;
};

/* Where the text goes, how long it is so far, and the arguments that are left. */
struct output {
	struct sink *to;
	size_t len;
	va_list ap; /* in a struct, because a va_list may be an array */
};

/* Pass n bytes on, if there are any, and count them. */
static void put(struct output *out, const char *s, size_t n)
{
	if (n > 0)
		out->to->put(out->to, s, n);
	out->len += n;
}

/* Pass n times c on, or nothing if n is not positive. */
static void pad(struct output *out, char c, int n)
{
	char some[16];

	if (n <= 0)
		return;
	memset(some, c, sizeof(some));
	for (; n > (int)sizeof(some); n -= sizeof(some))
		put(out, some, sizeof(some));
	put(out, some, n);
}

/*
 * Read a number, or take an argument for *. It is cut to INT_MAX / 2, so that sums stay in
 * an int.
 */
static const char *parse_number(const char *p, struct output *out, int *n)
{
	*n = 0;
	if (*p == '*') {
		*n = va_arg(out->ap, int);
		p++;
	} else {
		for (; *p >= '0' && *p <= '9'; p++)
			*n = *n > INT_MAX / 32 ? INT_MAX / 32 : *n * 10 + (*p - '0');
	}
	if (*n > INT_MAX / 2)
		*n = INT_MAX / 2;
	return p;
}

/* Take the flags, in any order, and return the place after them. */
static const char *parse_flags(const char *p, struct spec *s)
{
	for (;; p++) {
		switch (*p) {
		case '-':
			s->left = true;
			break;
		case '0':
			s->zero = true;
			break;
		case '+':
			s->plus = true;
			break;
		case ' ':
			s->space = true;
			break;
		case '#':
			s->alt = true;
			break;
		default:
			return p;
		}
	}
}

/* Return the size that stands for the type of n bytes: j, z and t depend on the machine. */
static enum size size_for(size_t n)
{
	if (n > sizeof(long))
		return SIZE_LLONG;
	return n > sizeof(int) ? SIZE_LONG : SIZE_INT;
}

/* Take hh, h, l, ll, j, z or t. */
static const char *parse_size(const char *p, enum size *size)
{
	switch (*p) {
	case 'h':
		*size = p[1] == 'h' ? SIZE_CHAR : SIZE_SHORT;
		return p[1] == 'h' ? p + 2 : p + 1;
	case 'l':
		*size = p[1] == 'l' ? SIZE_LLONG : SIZE_LONG;
		return p[1] == 'l' ? p + 2 : p + 1;
	case 'j':
		*size = size_for(sizeof(intmax_t));
		return p + 1;
	case 'z':
	case 't':
		*size = size_for(sizeof(size_t));
		return p + 1;
	}
	*size = SIZE_INT;
	return p;
}

/* Take a conversion apart. p is after its %; return the place of its letter. */
static const char *parse(const char *p, struct output *out, struct spec *s)
{
	*s = (struct spec){.precision = -1};
	p = parse_flags(p, s);
	p = parse_number(p, out, &s->width);
	if (s->width < 0) {
		s->left = true;
		s->width = s->width < -INT_MAX / 2 ? INT_MAX / 2 : -s->width;
	}
	if (*p == '.') {
		p = parse_number(p + 1, out, &s->precision);
		if (s->precision < 0)
			s->precision = -1;
	}
	p = parse_size(p, &s->size);
	s->letter = *p;
	return p;
}

/* Take the next argument, cut to its size. */
static unsigned long long take_unsigned(struct output *out, enum size size)
{
	switch (size) {
	case SIZE_LLONG:
		return va_arg(out->ap, unsigned long long);
	case SIZE_LONG:
		return va_arg(out->ap, unsigned long);
	case SIZE_SHORT:
		return (unsigned short)va_arg(out->ap, unsigned);
	case SIZE_CHAR:
		return (unsigned char)va_arg(out->ap, unsigned);
	default:
		return va_arg(out->ap, unsigned);
	}
}

/* Take the next argument, cut to its size, with its sign. */
static long long take_signed(struct output *out, enum size size)
{
	switch (size) {
	case SIZE_LLONG:
		return va_arg(out->ap, long long);
	case SIZE_LONG:
		return va_arg(out->ap, long);
	case SIZE_SHORT:
		return (short)va_arg(out->ap, int);
	case SIZE_CHAR:
		return (signed char)va_arg(out->ap, int);
	default:
		return va_arg(out->ap, int);
	}
}

/* Write the digits of n so that they end at `end', and return where they begin. 0 has none. */
static char *digits(char *end, unsigned long long n, unsigned base, bool upper)
{
	const char *digit = upper ? "0123456789ABCDEF" : "0123456789abcdef";
	unsigned small;

	/* Dividing 64 bits is slow on a 32-bit machine, and rarely needed. */
	for (; n > UINT_MAX; n /= base)
		*--end = digit[n % base];
	for (small = (unsigned)n; small > 0; small /= base)
		*--end = digit[small % base];
	return end;
}

/*
 * Pass on the prefix, zeros up to the precision, and the digits, filled up to the width with
 * blanks or zeros. An explicit precision of 0 prints nothing for 0.
 */
static void put_number(struct output *out, const struct spec *s, const char *prefix,
		       const char *digit, int n)
{
	int nprefix = (int)strlen(prefix);
	int zeros = s->precision > n ? s->precision - n : 0;
	int blanks = s->width - nprefix - zeros - n;

	if (s->precision < 0 && n == 0) {
		zeros = 1;
		blanks--;
	}
	if (s->zero && !s->left && s->precision < 0 && blanks > 0) {
		zeros += blanks;
		blanks = 0;
	}
	if (!s->left)
		pad(out, ' ', blanks);
	put(out, prefix, nprefix);
	pad(out, '0', zeros);
	put(out, digit, n);
	if (s->left)
		pad(out, ' ', blanks);
}

/* 2^64 has 22 octal digits, and # adds one. */
#define NDIGIT 24

/* Convert %d and %i. */
static void put_signed(struct output *out, const struct spec *s)
{
	long long value = take_signed(out, s->size);
	unsigned long long n = value < 0 ? -(unsigned long long)value : (unsigned long long)value;
	char buf[NDIGIT];
	char *first = digits(buf + NDIGIT, n, 10, false);

	const char *sign = "";

	if (value < 0)
		sign = "-";
	else if (s->plus)
		sign = "+";
	else if (s->space)
		sign = " ";
	put_number(out, s, sign, first, (int)(buf + NDIGIT - first));
}

/* Convert %u, %o, %x, %X and %p. */
static void put_unsigned(struct output *out, struct spec *s, unsigned base)
{
	unsigned long long n = take_unsigned(out, s->size);
	bool upper = s->letter == 'X';
	const char *prefix = "";
	char buf[NDIGIT];
	char *first = digits(buf + NDIGIT, n, base, upper);
	int len = (int)(buf + NDIGIT - first);

	if (s->alt && base == 16 && n != 0)
		prefix = upper ? "0X" : "0x";
	/* With #, octal numbers begin with a zero, which counts as a digit. */
	if (s->alt && base == 8 && s->precision <= len && (n != 0 || s->precision == 0)) {
		*--first = '0';
		len++;
	}
	put_number(out, s, prefix, first, len);
}

/* Convert %s and %c: n characters, filled up to the width with blanks. */
static void put_string(struct output *out, const struct spec *s, const char *text, size_t n)
{
	int blanks = s->width > 0 && (size_t)s->width > n ? s->width - (int)n : 0;

	if (!s->left)
		pad(out, ' ', blanks);
	put(out, text, n);
	if (s->left)
		pad(out, ' ', blanks);
}

/* Do one conversion. Return false if its letter is unknown. */
static bool convert(struct output *out, struct spec *s)
{
	const char *text;
	char c;

	switch (s->letter) {
	case 'd':
	case 'i':
		put_signed(out, s);
		return true;
	case 'u':
		put_unsigned(out, s, 10);
		return true;
	case 'o':
		put_unsigned(out, s, 8);
		return true;
	case 'p':
		s->alt = true;
		s->size = size_for(sizeof(void *));
		put_unsigned(out, s, 16);
		return true;
	case 'x':
	case 'X':
		put_unsigned(out, s, 16);
		return true;
	case 'c':
		c = (char)va_arg(out->ap, int);
		put_string(out, s, &c, 1);
		return true;
	case 's':
		text = va_arg(out->ap, const char *);
		if (!text)
			text = "(null)";
		put_string(out, s, text, strnlen(text, (size_t)(ssize_t)s->precision));
		return true;
	case '%':
		put(out, "%", 1);
		return true;
	}
	return false;
}

/*
 * Walk through fmt: text as it stands, conversions one by one. Return the length, or -1 with
 * EOVERFLOW if an int cannot hold it.
 */
int __format(struct sink *to, const char *fmt, va_list ap)
{
	struct output out = {.to = to};
	struct spec s;
	const char *p;

	va_copy(out.ap, ap);
	while (*fmt != '\0') {
		size_t n = 0;

		while (fmt[n] != '\0' && fmt[n] != '%')
			n++;
		put(&out, fmt, n);
		fmt += n;
		if (*fmt == '\0')
			break;
		p = parse(fmt + 1, &out, &s);
		if (*p != '\0')
			p++;
		/* What is not a conversion stands for itself. */
		if (!convert(&out, &s))
			put(&out, fmt, p - fmt);
		fmt = p;
	}
	va_end(out.ap);
	return out.len <= INT_MAX ? (int)out.len : __sysret(-EOVERFLOW);
}
