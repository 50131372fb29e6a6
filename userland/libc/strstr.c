/* Searching strings for another. Optimize: speed. */
#include <string.h>

/* Return the first place of sub in s, or NULL. An empty sub is at s. */
char *strstr(const char *s, const char *sub)
{
	return memmem(s, strlen(s), sub, strlen(sub));
}
