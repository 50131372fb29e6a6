/* Copying and appending strings. Optimize: speed. */
#include <string.h>

/* Copy the string. Return where the copy's NUL is. */
char *stpcpy(char *to, const char *from)
{
	size_t n = strlen(from);

	memcpy(to, from, n + 1);
	return to + n;
}

/* Copy the string. Return the copy. */
char *strcpy(char *to, const char *from)
{
	stpcpy(to, from);
	return to;
}

/*
 * Copy up to n characters, and fill the rest of the n bytes with NUL. There is none if from
 * is that long.
 */
char *strncpy(char *to, const char *from, size_t n)
{
	size_t len = strnlen(from, n);

	memcpy(to, from, len);
	memset(to + len, 0, n - len);
	return to;
}

/* Append a string. */
char *strcat(char *to, const char *from)
{
	strcpy(to + strlen(to), from);
	return to;
}

/* Append at most n characters, and always a NUL. */
char *strncat(char *to, const char *from, size_t n)
{
	size_t len = strnlen(from, n);
	char *end = to + strlen(to);

	memcpy(end, from, len);
	end[len] = '\0';
	return to;
}

/*
 * Copy what fits into size bytes, with its NUL. Return strlen(from): it is less than size if
 * all did.
 */
size_t strlcpy(char *to, const char *from, size_t size)
{
	size_t len = strlen(from);
	size_t n = len < size ? len : size - 1;

	if (size == 0)
		return len;
	memcpy(to, from, n);
	to[n] = '\0';
	return len;
}

/* Append what fits into size bytes. Return the length that all would have had. */
size_t strlcat(char *to, const char *from, size_t size)
{
	size_t len = strnlen(to, size);

	return len + strlcpy(to + len, from, size - len);
}
