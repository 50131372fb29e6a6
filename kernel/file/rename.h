/* Removing and renaming files, by path, in the namespace of the calling process. */
#pragma once

#include <stdint.h>

int ns_remove(const char *path, uint32_t kind);
int ns_rename(const char *from, const char *to);
