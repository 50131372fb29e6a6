/* The length of strings. */
#include <string.h>

/* Return the length without the NUL. */
size_t strlen(const char *s)
{
	const char *p = s;

	while (*p != '\0')
		p++;
	return p - s;
}

/* Return the length, or max if there is no NUL among the first max characters. */
size_t strnlen(const char *s, size_t max)
{
	const char *end = memchr(s, '\0', max);

	return end ? (size_t)(end - s) : max;
}
