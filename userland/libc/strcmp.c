/* Comparing strings. Optimize: speed. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Compare as unsigned bytes, whatever char is. */
int strcmp(const char *a, const char *b)
{
	while (*a == *b && *a != '\0') {
		a++;
		b++;
	}
	return (unsigned char)*a - (unsigned char)*b;
}

/* As strcmp(), but at most n characters. */
int strncmp(const char *a, const char *b, size_t n)
{
	for (; n > 0; n--, a++, b++) {
		if (*a != *b || *a == '\0')
			return (unsigned char)*a - (unsigned char)*b;
	}
	return 0;
}

/* Compare in the order of the locale, which is that of the bytes. */
int strcoll(const char *a, const char *b)
{
	return strcmp(a, b);
}

/* As strncmp(), with capitals as small letters. */
int strncasecmp(const char *a, const char *b, size_t n)
{
	for (; n > 0; n--, a++, b++) {
		int x = tolower((unsigned char)*a), y = tolower((unsigned char)*b);

		if (x != y || x == '\0')
			return x - y;
	}
	return 0;
}

/* As strcmp(), with capitals as small letters. */
int strcasecmp(const char *a, const char *b)
{
	return strncasecmp(a, b, (size_t)-1);
}
