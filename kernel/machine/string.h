/* Memory and strings, as in C's <string.h>, and a little more. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void *memset(void *p, int c, size_t n);
void *memcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
int memcmp(const void *a, const void *b, size_t n);
size_t strlen(const char *s);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t n);
char *strchr(const char *s, int c);
const char *path_last(const char *path); /* what comes after its last slash */
size_t strlcpy(char *to, const char *from, size_t size);
/* Return the smaller of two numbers. */
static inline size_t min_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* If s is an unsigned number, decimal, or hexadecimal after 0x, set *out and return true. */
bool parse_uint(const char *s, uint32_t *out);
