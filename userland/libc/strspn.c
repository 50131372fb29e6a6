/* Searching strings for characters of a set, and cutting them there. */
#include <stddef.h>
#include <string.h>

/* How many characters at the start of s are in the set. */
size_t strspn(const char *s, const char *set)
{
	size_t n = 0;

	while (s[n] != '\0' && strchr(set, s[n]))
		n++;
	return n;
}

/* How many characters at the start of s are not in the set. */
size_t strcspn(const char *s, const char *set)
{
	size_t n = 0;

	while (!strchr(set, s[n]))
		n++;
	return n;
}

/* The first character that is in the set, or NULL. */
char *strpbrk(const char *s, const char *set)
{
	s += strcspn(s, set);
	return *s != '\0' ? (char *)s : NULL;
}

/* The next word of s (NULL: of *rest), cut out in place; NULL when there is none left. */
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

char *strtok(char *s, const char *sep)
{
	static char *rest;

	return strtok_r(s, sep, &rest);
}

/* The next field of *s, which may be empty; NULL after the last. */
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
