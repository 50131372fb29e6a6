/* Opening, making, removing and renaming files, by path, in the caller's namespace. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct chan;

int ns_open(const char *path, int flags, uint32_t mode, struct chan **out);
int ns_mkdir(const char *path, uint32_t mode);
int ns_symlink(const char *target, const char *path);

/* rename.c */
int ns_remove(const char *path, uint32_t kind);
int ns_rename(const char *from, const char *to, bool link);
