/* Archives in cpio's newc format, which the boot loader brings. */
#pragma once

#include <stddef.h>

/*
 * Add the files in an archive of n bytes, at a multiple of 4, to the tree of the root, replacing
 * those there. The archive's memory must stay: files are read from it until they are
 * written. If it is damaged, or memory runs out, print why and return -EINVAL; the files
 * before that stay.
 */
int cpio_unpack(const void *archive, size_t n);
