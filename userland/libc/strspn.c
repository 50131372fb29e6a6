/* Searching strings for characters of a set, and cutting them there. Optimize: speed. */
#include <stddef.h>
#include <string.h>

/* Return how many characters at the start of s are in the set. */
size_t strspn(const char *s, const char *set)
{
	size_t n = 0;

	while (s[n] != '\0' && strchr(set, s[n]))
		n++;
	return n;
}

/*
 * Return how many characters at the start of s are not in the set. The NUL ends the search,
 * since strchr() finds it in any set.
 */
size_t strcspn(const char *s, const char *set)
{
	size_t n = 0;

	while (!strchr(set, s[n]))
		n++;
	return n;
}

/* Return the first character that is in the set, or NULL. */
char *strpbrk(const char *s, const char *set)
{
	s += strcspn(s, set);
	return *s != '\0' ? (char *)s : NULL;
}

/*
 * Cut the next word out of s, or for NULL out of *rest, in place. Return it, or NULL if
 * there is none left.
 */
char *strtok_r(char *s, const char *sep, char **rest)
{
	char *end;

	if (!s)
		s = *rest;
	s += strspn(s, sep);
	end = s + strcspn(s, sep);
	*rest = end;
	if (end == s)
		return NULL;
	if (*end != '\0') {
		*end = '\0';
		*rest = end + 1;
	}
	return s;
}

/* As strtok_r(), with one *rest for the whole program. */
char *strtok(char *s, const char *sep)
{
	static char *rest;

	return strtok_r(s, sep, &rest);
}

/* Cut the next field, which may be empty, out of *s. Return it, or NULL after the last. */
char *strsep(char **s, const char *sep)
{
	char *field = *s;
	char *end;

	if (!field)
		return NULL;
	end = field + strcspn(field, sep);
	*s = *end != '\0' ? end + 1 : NULL;
	*end = '\0';
	return field;
}
