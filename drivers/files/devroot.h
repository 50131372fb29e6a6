/* `#/`: the root, a file tree in memory. */
#ifndef DRIVERS_FILES_DEVROOT_H
#define DRIVERS_FILES_DEVROOT_H

#include "kernel/dev.h"

extern const struct dev rootdev; /* '/' */

/*
 * cpio.c: add the files in an archive of n bytes, at a multiple of 4, to the tree, replacing
 * those there. The archive's memory must stay: files are read from it until they are
 * written. If it is damaged, or memory runs out, print why and return -EINVAL; the files
 * before that stay.
 */
int devroot_unpack(const void *archive, size_t n);

/*
 * For unpacking: make the directory or file of that path, below the root and without
 * "..", if it is not there; a file's content is the n bytes at data, which must stay.
 * Return 0, -ENOTDIR, -EISDIR, -ENOSPC if out of memory, or -EINVAL for an invalid name.
 */
int devroot_put(const char *path, uint32_t mode, int64_t mtime, const void *data, size_t n);

#endif
