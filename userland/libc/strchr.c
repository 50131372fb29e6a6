/* Searching strings for one character. */
#include <string.h>

/* The first c, or the end of the string. */
char *strchrnul(const char *s, int c)
{
	while (*s != '\0' && *s != (char)c)
		s++;
	return (char *)s;
}

/* The first c, or NULL; the NUL counts as part of the string. */
char *strchr(const char *s, int c)
{
	s = strchrnul(s, c);
	return *s == (char)c ? (char *)s : NULL;
}

/* The last c, or NULL. */
char *strrchr(const char *s, int c)
{
	return memrchr(s, c, strlen(s) + 1);
}
