/* The command line that the boot loader gave the kernel. */
#pragma once

#include "kernel/machine/string.h"

void cmdline_init(const char *s);
const char *cmdline(void);
/* Return whether the word key, or key=value, is there; set value to the part after =, or "". */
bool cmdline_get(const char *key, char *value, size_t size);
/* Return whether key=value is there; value has at most 6 characters. */
static inline bool cmdline_is(const char *key, const char *value)
{
	char word[8];

	if (!cmdline_get(key, word, sizeof(word)))
		return false;
	return strcmp(word, value) == 0;
}
