/* Memory that is there: what cannot be had ends the program with a message. */
#ifndef TOOLS_MEMORY_H
#define TOOLS_MEMORY_H

#include <stddef.h>

/* n zeroed elements of that many bytes; never NULL. The caller frees them. */
void *memory_zeroed(size_t n, size_t size);

/*
 * Make an array that grows by doubling fit for n elements: where it is then. *room, 0 at
 * first, is how many it is fit for. `array` is not valid any more if *room has changed.
 */
void *memory_grow(void *array, size_t *room, size_t n, size_t size);

/* A string of the n bytes at text; the caller frees it. */
char *memory_string(const char *text, size_t n);

/* What printf would print; the caller frees it. */
char *memory_format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
