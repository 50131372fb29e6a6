/* `#/`: the root, a file tree in memory. */
#pragma once

#include "kernel/file/dev.h"

extern const struct dev rootdev; /* '/' */

/*
 * Give the directory or file that c is at this mode and time; a file's content becomes the n bytes
 * at data, which must stay. Return 0, -ENOTDIR or -EISDIR.
 */
int devroot_rom(struct chan *c, uint32_t mode, int64_t mtime, const void *data, size_t n);
