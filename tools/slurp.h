/* A whole file in memory. */
#ifndef TOOLS_SLURP_H
#define TOOLS_SLURP_H

#include <stddef.h>
#include <stdint.h>
#include "tools/complaint.h"

#define SLURP_MAX ((size_t)1 << 30)
#define SLURP_HEAD 65536 /* bytes by which a file is judged */

/*
 * Read all of a file, or of the standard input if path is "-". A NUL, which does not count,
 * follows the content. The caller frees *data. Return 0, or -1 and *why: the file cannot be read,
 * or has more than SLURP_MAX bytes; of a plain file none is read then.
 */
int slurp(const char *path, uint8_t **data, size_t *size, struct complaint *why);

/* Judge a file by its first bytes, SLURP_HEAD of them or all. Return 0, or -1 and *why. */
typedef int slurp_judge(const uint8_t *head, size_t n, struct complaint *why);

/* Do as slurp(), but read no more than the first bytes if the judge objects to them. */
int slurp_judged(const char *path, slurp_judge *judge, uint8_t **data, size_t *size,
		 struct complaint *why);

#endif
