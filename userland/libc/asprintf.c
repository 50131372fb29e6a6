/* Formatted text in memory of its own. */
#include <stdio.h>
#include "userland/libc/libc.h"

/* In memory that the caller asked for. */
static int format(char **out, const char *fmt, va_list ap, const void *caller)
{
	int n = vsnprintf(NULL, 0, fmt, ap);

	if (n < 0)
		return -1;
	*out = __realloc(NULL, (size_t)n + 1, caller);
	if (!*out)
		return -1;
	return vsnprintf(*out, (size_t)n + 1, fmt, ap);
}

/* *out is for free(); -1 when there is no memory for it. */
int vasprintf(char **out, const char *fmt, va_list ap)
{
	return format(out, fmt, ap, CALLER);
}

int asprintf(char **out, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = format(out, fmt, ap, CALLER);
	va_end(ap);
	return n;
}
