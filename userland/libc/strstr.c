/* Searching strings for another. */
#include <string.h>

/* Return the first place of sub in s, or NULL. An empty sub is at s. */
char *strstr(const char *s, const char *sub)
{
	return memmem(s, strlen(s), sub, strlen(sub));
}
