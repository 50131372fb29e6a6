/*
 * Adding up profiles of one kind: what the parts of gnomon-merge(1) share. One file after the other
 * is read, added to the sum and forgotten, so that any number of files takes no more memory than
 * their sum and the largest of them.
 */
#ifndef TOOLS_MERGE_MERGE_H
#define TOOLS_MERGE_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "tools/complaint.h"
#include "tools/profile/profdata.h"

/* One of the files: its bytes, which a reader has found good, and the profile in them. */
struct merge_file {
	const char *path;
	uint8_t *data;
	size_t n;
	struct profdata prof;
	struct ticks weight; /* its CPU's ticks; 0: counts are added as they are */
	double rest; /* what the last count that was weighed had after its whole number */
};

/* What is known of all files together. */
struct merge {
	char buildid[41]; /* of the kernel; empty: unknown, or nothing was counted in it */
	double us;	  /* of a tick; 0: unknown */
	struct runinfo run; /* how all of it was counted */
};

/* How files of a kind are added up. */
struct merge_kind {
	const char *format; /* of struct profdata */
	size_t size;	    /* of the sum, which is all 0 at first */
	/* Add a file. Return 0, or -1 and *why: it does not fit those before it. */
	int (*add)(void *sum, struct merge_file *f, struct complaint *why);
	/* Then add what is in its bytes alone, and needs no profile; NULL: nothing is. */
	void (*add_bytes)(void *sum, const struct merge_file *f);
	/* Write the sum, and say on the standard error what had to be changed. */
	void (*write)(void *sum, const struct merge *m, FILE *out);
	/* Then return 0, or -1 and *why: the form has no room for all of it. NULL: it has. */
	int (*written)(const void *sum, struct complaint *why);
	void (*free)(void *sum);
};

extern const struct merge_kind merge_kpdata, merge_gmon, merge_stacks, merge_waits,
	merge_memory, merge_modules, merge_calls;

/*
 * Find the weight of a file's CPU; the paths of the files before it come first in `path`. 0, or -1
 * and *why: the CPU, or what it lost, is not known, or another file is of the same.
 */
int merge_find_weight(struct merge_file *f, char *const *path, size_t before,
		      struct complaint *why);

/* Return what a count is in the sum: itself, or times the ticks that were due for each taken. */
uint64_t merge_weighed(struct merge_file *f, uint64_t count);

#endif
