/* Memory for arrays: the product of their sizes is checked. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "userland/libc/libc.h"

/* Allocate an array of n zeroed elements. NULL with ENOMEM. */
void *calloc(size_t n, size_t size)
{
	void *p = __reallocarray(NULL, n, size, CALLER);

	/* The multiplication was checked there. */
	return p ? memset(p, 0, n * size) : NULL;
}

/* Resize to n elements, charged to `caller'. */
void *__reallocarray(void *p, size_t n, size_t size, const void *caller)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return __realloc(p, bytes, caller);
}

/* As realloc(), for n elements. NULL with ENOMEM if the product overflows, too. */
void *reallocarray(void *p, size_t n, size_t size)
{
	return __reallocarray(p, n, size, CALLER);
}
