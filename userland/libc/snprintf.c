/* Formatted text to memory. */
#include <limits.h>
#include <string.h>
#include "userland/libc/file.h"

struct string_sink {
	struct sink sink;
	char *p;
	size_t left; /* without the NUL */
};

/* Copy what still fits. */
static void put(struct sink *to, const char *s, size_t n)
{
	struct string_sink *sink = (struct string_sink *)to;

	if (n > sink->left)
		n = sink->left;
	memcpy(sink->p, s, n);
	sink->p += n;
	sink->left -= n;
}

/* Write what fits into size bytes, with its NUL. Return the length of the whole text. */
int vsnprintf(char *buf, size_t size, const char *fmt, va_list ap)
{
	char none;
	struct string_sink to = {{put}, size > 0 ? buf : &none, size > 0 ? size - 1 : 0};
	int n = __format(&to.sink, fmt, ap);

	*to.p = '\0';
	return n;
}

/* As vsnprintf(). */
int snprintf(char *buf, size_t size, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(buf, size, fmt, ap);
	va_end(ap);
	return n;
}

/* As vsnprintf(), where the caller knows that there is room. */
int vsprintf(char *buf, const char *fmt, va_list ap)
{
	return vsnprintf(buf, INT_MAX, fmt, ap);
}

/* As vsprintf(). */
int sprintf(char *buf, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsprintf(buf, fmt, ap);
	va_end(ap);
	return n;
}
