/* Formatted text in memory of its own. */
#include <stdio.h>
#include <stdlib.h>

/* *out is for free(); -1 when there is no memory for it. */
int vasprintf(char **out, const char *fmt, va_list ap)
{
	int n = vsnprintf(NULL, 0, fmt, ap);

	if (n < 0)
		return -1;
	*out = malloc((size_t)n + 1);
	if (*out == NULL)
		return -1;
	return vsnprintf(*out, (size_t)n + 1, fmt, ap);
}

int asprintf(char **out, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(out, fmt, ap);
	va_end(ap);
	return n;
}
