/*
 * The columns of numbers in a table of counts: each is written from `to' on, and where it ends is
 * returned.
 */
#ifndef USERLAND_PROFILE_COLUMNS_H
#define USERLAND_PROFILE_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

/* A number, right-aligned in at least so many columns. */
char *columns_number(char *to, uint64_t n, size_t width);

/* Return n in thousandths of total, rounded; 1000 only if it is all. */
unsigned columns_permille(uint64_t n, uint64_t total);

/* n as a percentage of total, 6 wide; "-" when total is 0. Only all of it is 100.0 %. */
char *columns_percent(char *to, uint64_t n, uint64_t total);

#endif
