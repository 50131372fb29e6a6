/*
 * A whole file in memory, for readers that go back and forth in it. Ours are of some MB; a limit
 * keeps one of any size from filling the memory.
 */
#ifndef TOOLS_SLURP_H
#define TOOLS_SLURP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/complaint.h"

#define SLURP_MAX ((size_t)1 << 30)
#define SLURP_HEAD 65536 /* bytes by which a file is judged */
#define SLURP_SMALL (1 << 20) /* bytes of what may lie beside a profile */

/*
 * Read all of a file, or of the standard input if path is "-". A NUL, which does not count,
 * follows the content. The caller frees *data. Return 0, or -1 and *why: the file cannot be read,
 * or has more than SLURP_MAX bytes; of a plain file none is read then.
 */
int slurp(const char *path, uint8_t **data, size_t *size, struct complaint *why);

/*
 * Return whether a path, which a profile may have named, is a file's with something in it. A device
 * has no end, and a pipe, or what the kernel makes as it is read, may have nobody who writes.
 */
bool slurp_has(const char *path);

/* The same of a file that nobody asked for, but which lies where it may: of SLURP_SMALL at most. */
bool slurp_has_small(const char *path);

/* Judge a file by its first bytes, SLURP_HEAD of them or all. Return 0, or -1 and *why. */
typedef int slurp_judge(const uint8_t *head, size_t n, struct complaint *why);

/* Do as slurp(), but read no more than the first bytes if the judge objects to them. */
int slurp_judged(const char *path, slurp_judge *judge, uint8_t **data, size_t *size,
		 struct complaint *why);

#endif
