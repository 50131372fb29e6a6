/*
 * Where the guests run that make run has started: each has its QEMU's socket in the build tree.
 * Others are found only if they are named.
 */
#ifndef TOOLS_GUEST_SOCKETS_H
#define TOOLS_GUEST_SOCKETS_H

#include <stddef.h>
#include "tools/complaint.h"

/*
 * Find the QMP socket of the guest that was meant: the given one, or that of the only guest of the
 * build tree; the first one's if none runs. Return 0, or -1 and *why: several do, which it names.
 */
int sockets_find(char *path, size_t size, const char *given, struct complaint *why);

#endif
