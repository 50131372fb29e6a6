/* Memory for arrays: the product is checked. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "userland/libc/libc.h"

/* An array of n zeroed elements, or NULL and ENOMEM. */
void *calloc(size_t n, size_t size)
{
	void *p = __reallocarray(NULL, n, size, CALLER);

	/* The multiplication was checked there. */
	return p ? memset(p, 0, n * size) : NULL;
}

void *__reallocarray(void *p, size_t n, size_t size, const void *caller)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return __realloc(p, bytes, caller);
}

/* As realloc, for n elements. */
void *reallocarray(void *p, size_t n, size_t size)
{
	return __reallocarray(p, n, size, CALLER);
}
