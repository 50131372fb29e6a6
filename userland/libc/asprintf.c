/* Formatted text in memory that is allocated for it. */
#include <stdio.h>
#include "userland/libc/libc.h"

/* Format into memory that is charged to `caller'. */
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

/*
 * Format into memory for free(), and return the length, or -1 if there is no memory; *out is
 * NULL then.
 */
int vasprintf(char **out, const char *fmt, va_list ap)
{
	return format(out, fmt, ap, CALLER);
}

/* As vasprintf(). */
int asprintf(char **out, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = format(out, fmt, ap, CALLER);
	va_end(ap);
	return n;
}
