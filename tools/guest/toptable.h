/*
 * The table of gnomon top: what a guest did between two looks at it, as shares of the ticks and
 * cycles that there were meanwhile. The caller chooses how long that is; what counts is the guest's
 * own time.
 */
#ifndef TOOLS_GUEST_TOPTABLE_H
#define TOOLS_GUEST_TOPTABLE_H

#include <stdbool.h>
#include <stdio.h>
#include "tools/code/symbols.h"
#include "tools/guest/inside.h"

#define LOOK_MAXPROC 256

/* The guest's state at one moment. Zero it before its first use. */
struct look {
	struct inside_kprof kprof;
	struct inside_process process[LOOK_MAXPROC];
	int nprocess; /* -1: they are not known */
	uint32_t khz; /* cycles a millisecond */
	uint64_t ns;  /* the guest's time */
	struct runinfo clock; /* the ticks since it started; with cpus 0, not known */
};

/* Look at the guest. Return 0, or -1 and *why. */
int look_take(struct inside *in, struct look *l, struct complaint *why);

/* By what the rows are sorted: the largest share, the name, or the lowest address or pid first. */
enum toptable_sort { TOPTABLE_SHARE, TOPTABLE_NAME, TOPTABLE_NUMBER, TOPTABLE_NSORTS };

/* How a table is shown. */
struct toptable {
	int lines, columns; /* about how many there are */
	enum toptable_sort sort;
	const char *filter; /* only functions and processes with this in their names; NULL: all */
	bool color;
	bool mark; /* one of the functions: */
	int row;   /* which, from 0 on; printing makes it the last one if there are fewer */
	const struct symbol *symbol; /* and that is this one, NULL if there is none */
};

/* Print what has changed since `was`. */
void toptable_print(FILE *to, const struct look *l, const struct look *was,
		    const struct symbols *s, struct toptable *t);

#endif
