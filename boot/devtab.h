/* What this kernel serves. */
#ifndef BOOT_DEVTAB_H
#define BOOT_DEVTAB_H

#include "kernel/dev.h"

extern const struct dev *const devtab[];
extern const unsigned devtab_count;

/* The console is the first serial port. */
void console_write(const char *s, size_t n);
void console_throttle(bool stop); /* the input */

#endif
