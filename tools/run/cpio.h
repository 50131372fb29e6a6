/*
 * Writing a cpio archive, the form in which the kernel takes files at boot: the "new ASCII" one,
 * with 070701 before each file and its numbers as 8 hexadecimal digits (cpio(5) of the BSDs).
 */
#ifndef TOOLS_RUN_CPIO_H
#define TOOLS_RUN_CPIO_H

#define CPIO_NAME "the archive for the guest" /* in messages */

#include <stddef.h>
#include <stdio.h>
#include "tools/complaint.h"

/*
 * Add a file; the kernel makes the folders that lead to it. Slashes at the start of the path
 * are left out. Time and owner are 0, so that the same files give the same archive. 0, or -1
 * and why: nothing is left of the path, the file has 4 GB or more, or writing failed.
 */
int cpio_file(FILE *f, const char *path, unsigned mode, const void *data, size_t n,
	      struct complaint *why);

/* Write the archive's end, and everything that is still in a buffer. Return 0, or -1 and *why. */
int cpio_end(FILE *f, struct complaint *why);

#endif
