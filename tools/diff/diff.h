/*
 * What the parts of gnomon-diff(1) share. A is the profile that was named first, as that before a
 * change, B the other; every difference is B less A.
 */
#ifndef TOOLS_DIFF_DIFF_H
#define TOOLS_DIFF_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include "tools/code/image.h"
#include "tools/diff/chance.h"
#include "tools/diff/compare.h"
#include "tools/profile/profdata.h"
#include "tools/profile/repeats.h"
#include "tools/profile/selection.h"

enum diff_sort { DIFF_BY_Z, DIFF_BY_DIFFERENCE, DIFF_BY_NAME };

/* The options on the command line. */
struct diff_options {
	struct selection selection;
	struct images images[2]; /* A's and B's */
	double level;	     /* see struct chance_test */
	enum diff_sort sort;
	size_t limit;	/* rows at most */
	bool by_time;	/* compare times, not shares */
	bool few;	/* see struct chance_test */
	bool inclusive; /* a function's count includes those that it called */
	bool inlined;	/* inlined functions stand for themselves */
	bool folded;	/* print paths instead */
	const char *page; /* the file that --html writes instead; or NULL */
};

/* One of the two profiles. */
struct diff_side {
	const char *file;
	struct profdata prof; /* of all runs together */
	struct repeats repeats;
	struct functions functions;
};

/* A function in both. */
struct diff_row {
	struct compare_row count;
	struct chance_row chance; /* of samples only */
	double share_a, share_b; /* of everything, in per cent; of several runs the mean */
	double points; /* B's share less A's, in points of per cent */
	double ms;     /* B's time less A's, of one run; 0 unless struct diff says `timed` */
	double error, ms_error; /* their standard errors, if the counts are no exact ones */
};

struct diff {
	struct diff_options options;
	struct diff_side a, b;
	struct diff_row *row;
	size_t n;
	struct diff_row total, busy; /* all functions together, and without idle time */
	struct chance_test test;
	bool repeated;	/* both have several runs: tested by how much these vary */
	bool exact;	/* the counts are no samples: chance has no part in them */
	bool timed;	/* a tick has a known length in both */
	bool summed;	/* what is outside the kernel is one row: one side knows only the sum */
	char *level;	/* which programs are one row each, and why; NULL: none are */
};

/*
 * Test every row by the counts in the single runs of both sides, with Welch's test. A row that does
 * not vary at all is tested as if there were one run, or is sure if it is exact and differs.
 */
void diff_runs_test(struct diff *d);

/* Do the same with the row of all functions together; with `busy`, without idle time. */
void diff_runs_sum(const struct diff *d, struct diff_row *row, bool busy);

/*
 * Make each program of which one side has no file a single row of both, and note it in d->level.
 * Its functions there have no names, and would all seem to be missing from one side.
 */
void diff_level(struct diff *d);

/* Print the whole comparison on the standard output. */
void diff_print(const struct diff *d);

/* Print "PATH A B" for every path instead. */
void diff_print_folded(struct diff *d);

/*
 * Return what was found, in a sentence or two, which the caller frees; of lines that are not too
 * long. What z means is a sentence of its own, without a full stop, and so is
 * how it comes from several runs.
 */
char *diff_verdict(const struct diff *d);
extern const char diff_z_meaning[], diff_t_meaning[];

/* Return by how many per cent b is more or less than a, with that word; the caller frees it. */
char *diff_percent(double a, double b, const char *more, const char *less);

/* Return a function's name, with its module if there are several; the caller frees it. */
char *diff_name(const struct diff *d, const struct diff_row *r);

/* Print what a side is; and from which z on rows are marked, and how far that can be trusted. */
void diff_print_side(const char *letter, const struct diff_side *s);
void diff_print_level(const struct diff *d);

/* Compare and print durations of calls, which both sides have. 0, or -1 and *why: wrong options. */
int diff_calls(struct diff *d, struct complaint *why);

/* Write a page for browsers with both, whose rows were tested. 0, or -1 and *why. */
int diff_html(struct diff *d, struct complaint *why);

#endif
