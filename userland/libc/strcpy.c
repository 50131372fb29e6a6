/* Copying and appending strings. */
#include <string.h>

/* Copies the string and returns where the copy's NUL is. */
char *stpcpy(char *to, const char *from)
{
	size_t n = strlen(from);

	memcpy(to, from, n + 1);
	return to + n;
}

char *strcpy(char *to, const char *from)
{
	stpcpy(to, from);
	return to;
}

/* Fills all n bytes; without a NUL when from is that long. */
char *strncpy(char *to, const char *from, size_t n)
{
	size_t len = strnlen(from, n);

	memcpy(to, from, len);
	memset(to + len, 0, n - len);
	return to;
}

char *strcat(char *to, const char *from)
{
	strcpy(to + strlen(to), from);
	return to;
}

/* Appends at most n characters, and always a NUL. */
char *strncat(char *to, const char *from, size_t n)
{
	size_t len = strnlen(from, n);
	char *end = to + strlen(to);

	memcpy(end, from, len);
	end[len] = '\0';
	return to;
}

/* Copies what fits in size bytes with its NUL; returns strlen(from). */
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

/* Appends what fits; returns the length it wanted to make. */
size_t strlcat(char *to, const char *from, size_t size)
{
	size_t len = strnlen(to, size);

	return len + strlcpy(to + len, from, size - len);
}
