/* The command line that the boot loader gave the kernel. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

void cmdline_init(const char *s);
const char *cmdline(void);
/* Return whether the word key, or key=value, is there; set value to the part after =, or "". */
bool cmdline_get(const char *key, char *value, size_t size);
