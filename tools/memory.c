/* Memory that is there, or the program's end: see memory.h. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"

/* The end. */
static void none(void)
{
	fputs("gnomon: there is not enough memory for these data\n", stderr);
	exit(1);
}

/* calloc() checks the product. */
void *memory_zeroed(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);

	if (!p)
		none();
	return p;
}

/* At least double, so that n additions cost no more than n. */
void *memory_grow(void *array, size_t *room, size_t n, size_t size)
{
	size_t want = *room ? *room : 16;

	if (n <= *room)
		return array;
	while (want < n && want <= SIZE_MAX / 2)
		want *= 2;
	array = want >= n ? reallocarray(array, want, size) : NULL;
	if (!array)
		none();
	*room = want;
	return array;
}

/* The copy ends with a NUL. */
char *memory_string(const char *text, size_t n)
{
	char *s = memory_zeroed(n + 1, 1);

	memcpy(s, text, n);
	return s;
}

/* As asprintf(), without its errors. */
char *memory_format(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		none();
	va_end(ap);
	return s;
}
