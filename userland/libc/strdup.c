/* Copies of strings in allocated memory. */
#include <stdlib.h>
#include <string.h>
#include "userland/libc/libc.h"

/* Copy n characters into memory that is charged to `caller'. */
static char *copy_of(const char *s, size_t n, const void *caller)
{
	char *copy = __realloc(NULL, n + 1, caller);

	if (!copy)
		return NULL;
	memcpy(copy, s, n);
	copy[n] = '\0';
	return copy;
}

/* Copy at most max characters, for free(). NULL with ENOMEM. */
char *strndup(const char *s, size_t max)
{
	return copy_of(s, strnlen(s, max), CALLER);
}

/* Copy a string, for free(). NULL with ENOMEM. */
char *strdup(const char *s)
{
	return copy_of(s, strlen(s), CALLER);
}
