/* `#/`: the root, a file tree in memory. */
#ifndef DRIVERS_FILES_DEVROOT_H
#define DRIVERS_FILES_DEVROOT_H

#include "kernel/dev.h"

extern const struct dev rootdev; /* '/' */

/*
 * For unpacking: make the directory or file of that path, below the root and without
 * "..", if it is not there; a file's content is the n bytes at data, which must stay.
 * Return 0, -ENOTDIR, -EISDIR, -ENOSPC if out of memory, or -EINVAL for an invalid name.
 */
int devroot_put(const char *path, uint32_t mode, int64_t mtime, const void *data, size_t n);

#endif
