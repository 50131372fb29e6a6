/* What our library has besides newlib's. */
#ifndef _GNOMON_STDLIB_H
#define _GNOMON_STDLIB_H

#include_next <stdlib.h>

/* newlib asks the allocator by these names. It is that of our own library, which mprof(1) knows. */
#define _malloc_r(r, n) malloc(n)
#define _realloc_r(r, p, n) realloc(p, n)
#define _calloc_r(r, n, size) calloc(n, size)
#define _free_r(r, p) free(p)

const char *getprogname(void);
void setprogname(const char *name);

#endif
