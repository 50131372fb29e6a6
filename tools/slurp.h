/* A whole file in memory. */
#ifndef TOOLS_SLURP_H
#define TOOLS_SLURP_H

#include <stddef.h>
#include <stdint.h>
#include "tools/complaint.h"

#define SLURP_MAX ((size_t)1 << 30)

/*
 * Read all of a file, or of the standard input if path is "-", up to SLURP_MAX bytes. A NUL,
 * which does not count, follows the content. The caller frees *data. Return 0, or -1 and *why.
 */
int slurp(const char *path, uint8_t **data, size_t *size, struct complaint *why);

#endif
