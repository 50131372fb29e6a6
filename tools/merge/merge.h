/* Adding up profiles of one kind: what the parts of gnomon-merge(1) share. */
#ifndef TOOLS_MERGE_MERGE_H
#define TOOLS_MERGE_MERGE_H

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
};

struct merge {
	struct merge_file *file;
	size_t n;	     /* all are of one kind, unit and period */
	const char *buildid; /* of the kernel; empty: unknown, or nothing was counted in it */
	struct runinfo run;  /* how all of it was counted */
};

/*
 * Write the sum of all files to `out`, in their format, and say on the standard error what had
 * to be changed. Return 0, or -1 and *why: the files do not fit each other.
 */
int merge_kpdata(const struct merge *m, FILE *out, struct complaint *why);
int merge_gmon(const struct merge *m, FILE *out, struct complaint *why);
int merge_stacks(const struct merge *m, FILE *out, struct complaint *why);
int merge_modules(const struct merge *m, FILE *out, struct complaint *why);

#endif
