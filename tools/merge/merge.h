/* Adding up profiles of one kind: what the parts of gnomon-merge(1) share. */
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
	struct runinfo_ticks weight; /* its CPU's ticks; 0: counts are added as they are */
	double rest; /* what the last count that was weighed had behind its whole number */
};

struct merge {
	struct merge_file *file;
	size_t n;	     /* all are of one kind, unit and period */
	bool weigh;	     /* each file is of one CPU: count what that lost, too */
	const char *buildid; /* of the kernel; empty: unknown, or nothing was counted in it */
	struct runinfo run;  /* how all of it was counted */
};

/* Find the weight of each file's CPU. 0, or -1 and *why: the CPU, or what it lost, is not known. */
int merge_find_weights(const struct merge *m, struct complaint *why);

/* Return what a count of a file is in the sum. */
uint64_t merge_weighed(struct merge_file *f, uint64_t count);

/*
 * Write the sum of all files to `out`, in their format, and say on the standard error what had
 * to be changed. Return 0, or -1 and *why: the files do not fit each other.
 */
int merge_kpdata(const struct merge *m, FILE *out, struct complaint *why);
int merge_gmon(const struct merge *m, FILE *out, struct complaint *why);
int merge_stacks(const struct merge *m, FILE *out, struct complaint *why);
int merge_modules(const struct merge *m, FILE *out, struct complaint *why);

#endif
