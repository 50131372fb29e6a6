/* Formatted text, and the kernel's messages. */
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* %d %u %x %p %s %c, width, 0 but with %d, l, ll and z; the string always ends in 0 */
int snprintf(char *buf, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
int vsnprintf(char *buf, size_t size, const char *fmt, va_list ap);

/* In any context but NMI. */
void printk(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* The same for what users cause: ten lines a second, then how many more there were. */
void print_limited(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void print_tick(uint64_t now); /* with the system clock's tick: time_ns() is now */
/* Set the functions for printk(), in any context but NMI, and for panics, by polling. */
void print_sink(void (*write)(const char *s, size_t n), void (*sync)(const char *s, size_t n));
void print_panic(void); /* from now on text is written at once, past all locks */
size_t print_log(char *buf, size_t n, size_t off); /* of the last 16 KB printed, from off on */

/* Put the first `digits` digits of the build ID into hex: an even number, at most 40. */
char *build_id(char *hex, unsigned digits);
