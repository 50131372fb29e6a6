/* The length of strings. Optimize: speed. */
#include <string.h>

/* Return the length without the NUL, which is somewhere. */
size_t strlen(const char *s)
{
	return (const char *)memchr(s, '\0', (size_t)-1) - s;
}

/* Return the length, or max if there is no NUL among the first max characters. */
size_t strnlen(const char *s, size_t max)
{
	const char *end = memchr(s, '\0', max);

	return end ? (size_t)(end - s) : max;
}
