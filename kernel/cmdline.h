/* The command line that the boot loader gave the kernel. */
#ifndef KERNEL_CMDLINE_H
#define KERNEL_CMDLINE_H

#include <stdbool.h>
#include <stddef.h>

void cmdline_init(const char *s);
const char *cmdline(void);
/* True if the word key, or key=value, is there; value gets what follows the =, or "". */
bool cmdline_get(const char *key, char *value, size_t size);

#endif
