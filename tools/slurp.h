/* A whole file in memory. */
#ifndef TOOLS_SLURP_H
#define TOOLS_SLURP_H

#include <stddef.h>
#include <stdint.h>
#include "tools/complaint.h"

#define SLURP_MAX ((size_t)1 << 30)

/*
 * Read everything of path, "-" being the standard input, up to SLURP_MAX bytes.
 * The caller frees *data, which is never NULL on success; a NUL that does not
 * count follows the content. 0, or -1 and the reason.
 */
int slurp(const char *path, uint8_t **data, size_t *size, struct complaint *why);

#endif
