/* Writing a cpio archive, the form in which the kernel takes files at boot. */
#ifndef TOOLS_RUN_CPIO_H
#define TOOLS_RUN_CPIO_H

#include <stddef.h>
#include <stdio.h>
#include "tools/complaint.h"

/*
 * Add a file; the folders that lead to it are the reader's to make. The path may
 * start with slashes, which are left out. Time and owner are 0, so that the same
 * files give the same archive. 0, or -1: no path is left, the file is of 4 GB or more,
 * or the archive cannot be written.
 */
int cpio_file(FILE *f, const char *path, unsigned mode, const void *data, size_t n,
	      struct complaint *why);

/* The archive's end; whether everything was written shows here at the latest. */
int cpio_end(FILE *f, struct complaint *why);

#endif
