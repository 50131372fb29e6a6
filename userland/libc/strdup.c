/* Strings in memory of their own. */
#include <stdlib.h>
#include <string.h>

/* A copy of at most max characters, for free(); NULL and ENOMEM. */
char *strndup(const char *s, size_t max)
{
	size_t n = strnlen(s, max);
	char *copy = malloc(n + 1);

	if (copy == NULL)
		return NULL;
	memcpy(copy, s, n);
	copy[n] = '\0';
	return copy;
}

char *strdup(const char *s)
{
	return strndup(s, strlen(s));
}
