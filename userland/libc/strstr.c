/* Searching strings for another. */
#include <string.h>

/* The first place of sub in s, or NULL; an empty sub is at once found. */
char *strstr(const char *s, const char *sub)
{
	return memmem(s, strlen(s), sub, strlen(sub));
}
