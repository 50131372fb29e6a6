/* Searching strings for one character. Optimize: speed. */
#include <string.h>

/* Return the first c, or the end of the string. */
char *strchrnul(const char *s, int c)
{
	while (*s != '\0' && *s != (char)c)
		s++;
	return (char *)s;
}

/* Return the first c, or NULL. The NUL is part of the string. */
char *strchr(const char *s, int c)
{
	s = strchrnul(s, c);
	return *s == (char)c ? (char *)s : NULL;
}

/* Return the last c, or NULL. The NUL is part of the string. */
char *strrchr(const char *s, int c)
{
	return memrchr(s, c, strlen(s) + 1);
}
