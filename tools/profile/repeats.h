/*
 * Several runs of the same commands as one profile, as `gnomon run --repeat' keeps them: each in a
 * folder whose name is a number.
 */
#ifndef TOOLS_PROFILE_REPEATS_H
#define TOOLS_PROFILE_REPEATS_H

#include <stdbool.h>
#include <stddef.h>
#include "tools/complaint.h"
#include "tools/profile/functions.h"
#include "tools/profile/profdata.h"
#include "tools/profile/selection.h"

/* The runs of one operand. */
struct repeats {
	struct profdata *run; /* of which the sum is made; NULL: there is only that */
	size_t n;	      /* how many; 1 if it is a plain file */
	size_t same;	      /* how many runs were read that were all the same to the bit, or 0 */
};

/*
 * Read a profile as selection_read() does, or the sum of several: PATH is a folder with runs that
 * have one profile each, or FOLDER/NAME, the profile of that name of each. Runs that are all the
 * same count as one, for they tell nothing that one does not. 0, or -1 and *why, beginning with the
 * path; after success profdata_free() and repeats_free() are due.
 */
int repeats_read(struct repeats *r, struct profdata *sum, const struct selection *s,
		 const char *path, struct images *images, struct complaint *why);
void repeats_free(struct repeats *r);

/* What was counted in one of the runs. */
struct repeats_count {
	size_t run;
	double count;
};

/*
 * A function by its name, and what was counted in it: of the runs those that have some, in their
 * order, for of many runs with functions of their own each is in one.
 */
struct repeats_row {
	const char *module, *name; /* module "" for what is in none, such as "[idle]" */
	bool inlined;
	struct repeats_count *in;
	size_t n, room;
};

/* Compare two by module, name, and whether they are inlined. Below, at or above 0, as strcmp(). */
int repeats_compare(const struct repeats_row *a, const struct repeats_row *b);

/*
 * Put each function's count in the i-th run, whose functions have been counted, into its row; rows
 * are ascending by repeats_compare(), and have all functions of the run. With `all`, it has what
 * was counted in functions that it called, too.
 */
void repeats_counts(struct repeats_row *row, size_t n, size_t i, const struct functions *f,
		    bool all);

/*
 * The mean of `all` numbers, and their variance, by all - 1: in their unit's square; 0: of one. Of
 * the numbers n are given, and the others are 0.
 */
struct repeats_spread {
	double mean, variance;
};
struct repeats_spread repeats_spread(const double *value, size_t n, size_t all);

#endif
