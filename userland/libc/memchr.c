/* Searching memory for a byte. Optimize: speed. */
#include <stdbool.h>
#include <string.h>

/* Return the first c among n bytes, or NULL. */
void *memchr(const void *p, int c, size_t n)
{
	bool found = false;

	if (n > 0)
		__asm__ volatile("repne scasb"
				 : "+D"(p), "+c"(n), "=@ccz"(found)
				 : "a"(c)
				 : "memory");
	return found ? (char *)p - 1 : NULL;
}

/* Return the last c among n bytes, or NULL. */
void *memrchr(const void *p, int c, size_t n)
{
	const unsigned char *s = p;

	while (n-- > 0) {
		if (s[n] == (unsigned char)c)
			return (void *)(s + n);
	}
	return NULL;
}
