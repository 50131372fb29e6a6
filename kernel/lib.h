/* The kernel's own C library: memory, strings, numbers, formatted text. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define nelem(a) (sizeof(a) / sizeof((a)[0]))

/* Marks a function whose entry is not counted: one that runs in ticks, or too early. */
#define UNSEEN __attribute__((no_instrument_function))

/* string.c: as in C's <string.h>, and a little more */
void *memset(void *p, int c, size_t n);
void *memcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
int memcmp(const void *a, const void *b, size_t n);
size_t strlen(const char *s);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t n);
char *strchr(const char *s, int c);
char *strrchr(const char *s, int c);
size_t strlcpy(char *to, const char *from, size_t size);
/* Return the smaller of two numbers. */
static inline size_t min_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* If s is an unsigned number, decimal, or hexadecimal after 0x, set *out and return true. */
bool parse_uint(const char *s, uint32_t *out);

/* div.c */
uint32_t div64(uint64_t *n, uint32_t by); /* divides *n; returns the remainder */

/* print.c: %d %u %x %p %s %c, width, 0 but with %d, l, ll and z; the string always ends in 0 */
int snprintf(char *buf, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
int vsnprintf(char *buf, size_t size, const char *fmt, va_list ap);
