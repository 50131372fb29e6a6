/*
 * Writing and reading a cpio archive, the form in which the kernel takes files at boot: the "new
 * ASCII" one, with 070701 before each file and its numbers as 8 hexadecimal digits (cpio(5) of the
 * BSDs).
 */
#ifndef TOOLS_RUN_CPIO_H
#define TOOLS_RUN_CPIO_H

#define CPIO_NAME "the archive for the guest" /* in messages */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
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

/* A file of an archive in memory, in which all of it lies. */
struct cpio_entry {
	const char *path; /* as the archive has it, without a slash at the start */
	uint32_t inode, mode, links;
	const uint8_t *data;
	size_t n; /* bytes; of several links to a file all but the last have none */
};

/*
 * Read the entry at *at of an archive of so many bytes, and move *at past it. Return false: there
 * is none, or it makes no sense.
 */
bool cpio_next(const uint8_t *archive, size_t size, size_t *at, struct cpio_entry *e);

#endif
