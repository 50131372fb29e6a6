/* Strings in memory of their own. */
#include <stdlib.h>
#include <string.h>
#include "userland/libc/libc.h"

/* A copy of n characters. */
static char *copy_of(const char *s, size_t n, const void *caller)
{
	char *copy = __realloc(NULL, n + 1, caller);

	if (!copy)
		return NULL;
	memcpy(copy, s, n);
	copy[n] = '\0';
	return copy;
}

/* A copy of at most max characters, for free(); NULL and ENOMEM. */
char *strndup(const char *s, size_t max)
{
	return copy_of(s, strnlen(s, max), CALLER);
}

char *strdup(const char *s)
{
	return copy_of(s, strlen(s), CALLER);
}
