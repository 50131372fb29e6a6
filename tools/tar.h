/* Writing a ustar archive, the form in which the kernel takes files at boot. */
#ifndef TOOLS_TAR_H
#define TOOLS_TAR_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "complaint.h"

/*
 * Add a file; the folders that lead to it are the reader's to make. The path may
 * start with slashes, which are left out. Time and owner are 0, so that the same
 * files give the same archive. 0, or -1: the path does not fit (256 bytes, with a
 * slash in a fit place), or the archive cannot be written.
 */
int tar_file(FILE *f, const char *path, unsigned mode, const void *data, size_t n,
	     struct complaint *why);

/* The archive's end; whether everything was written shows here at the latest. */
int tar_end(FILE *f, struct complaint *why);

#endif
