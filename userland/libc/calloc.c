/* Memory for arrays: the product is checked. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* An array of n zeroed elements, or NULL and ENOMEM. */
void *calloc(size_t n, size_t size)
{
	void *p = reallocarray(NULL, n, size);

	/* The multiplication was checked there. */
	return p != NULL ? memset(p, 0, n * size) : NULL;
}

/* As realloc, for n elements. */
void *reallocarray(void *p, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(p, bytes);
}
