/*
 * What the parts of gnomon-report(1) share: the options, and how numbers are printed. A report is
 * printed on the standard output as text, or through sheet.h for other programs; the page for
 * browsers (--html) is a file. What a profile cannot tell is said in the report, not left out
 * without a word.
 */
#ifndef TOOLS_REPORT_REPORT_H
#define TOOLS_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/code/image.h"
#include "tools/code/source.h"
#include "tools/complaint.h"
#include "tools/profile/functions.h"
#include "tools/profile/graph.h"
#include "tools/profile/profdata.h"
#include "tools/profile/repeats.h"
#include "tools/profile/selection.h"
#include "tools/report/sheet.h"
#include "tools/report/sieve.h"
#include "tools/report/terminal.h"

#define REPORT_CAUTIONS 5

/* Which rows are left out: those after the first ones, and those whose share is less. */
struct report_limit {
	size_t rows;	/* SIZE_MAX: all */
	double percent; /* 0: all */
};

/* What rows of --calls are sorted by. */
enum calls_sort {
	CALLS_BY_TOTAL, CALLS_BY_CALLS, CALLS_BY_SELF, CALLS_BY_MEAN, CALLS_BY_SHORTEST,
	CALLS_BY_LONGEST, CALLS_BY_ASLEEP,
};

/* Why lines of the source are not known. */
struct report_lack {
	char *text;
	bool said; /* that the file is not known, as the profile was read */
};

/* What the command line says. */
struct report_options {
	const char *function; /* of --callers, --callees, --annotate and --histogram */
	const char *page;     /* the file that --html writes */
	const char *root;     /* the function that its trees begin with; NULL: they are whole */
	struct sources sources; /* the folders that -S names, and no more */
	struct selection selection;
	struct images images;
	struct sieve sieve;
	struct terminal terminal;
	struct report_limit limit;
	enum sheet_format format;
	enum calls_sort calls_sort;
	bool inclusive; /* what a function called counts for the order, too */
	bool inlined;	/* inlined functions stand for themselves */
	bool lines;	/* with --annotate: leave out the instructions */
};

struct report {
	struct report_options options;
	const char *file; /* of the profile */
	struct profdata prof; /* of all runs together, if there are several */
	struct repeats repeats;
	bool varies; /* the report says by how much shares of single runs do */
	struct functions functions;
	struct sources sources;
	uint64_t before; /* the total before patterns left paths out */
	const char *caution[REPORT_CAUTIONS]; /* in what its ticks are not true; or NULL */
	char *loss; /* how many are missing; or NULL */
	char *memory; /* how much memory there was in all; or NULL */
	char *unnamed; /* which programs have no file, and so no names of functions; or NULL */
	struct report_lack *missing; /* nmissing of them */
	size_t nmissing;
	size_t parts;		 /* the profiles that share a page */
	struct json_t *profiles; /* those that the page has so far */
};

/* Option: the name of a column into an enum calls_sort. */
option_take report_calls_sort;

/*
 * Note, before it is printed, why some ticks of a profile are in wrong places, by what it tells of
 * its clock and machine, and how many were lost; for a report on lines of the source, or not, that
 * shows memory that is in use no more, or not.
 */
void report_cautions(struct report *r, bool lines, bool freed);

/* Each prints one report on the standard output. Return 0, or -1 and *why. */
int report_flat(struct report *r, struct complaint *why);
int report_graph(struct report *r, struct complaint *why);
int report_callers(struct report *r, struct complaint *why);
int report_callees(struct report *r, struct complaint *why);
int report_lines(struct report *r, struct complaint *why);
int report_annotate(struct report *r, struct complaint *why);
int report_slices(struct report *r, struct complaint *why); /* --timeline */
int report_wakeups(struct report *r, struct complaint *why);
int report_calls(struct report *r, struct complaint *why);
int report_histogram(struct report *r, struct complaint *why);
int report_html(struct report *r, struct complaint *why); /* onto a page for browsers */

/*
 * Print which processes waited longest, and for what, if the profile is of waits and of several;
 * or return that of all as JSON.
 */
void report_waiters(const struct report *r);
struct json_t *report_waiters_json(const struct report *r);

/*
 * Return what is known of memory by function, once functions_count() has numbered all; NULL:
 * nothing is. The caller frees it. report_memory_total() says how much all of it is, which the
 * caller frees as well, and report_memory_programs() prints that of each program.
 */
struct profdata_memory *report_memory(struct report *r);
char *report_memory_total(const struct report *r);
void report_memory_programs(const struct report *r);

/*
 * Append to the n sorted numbers of functions, for which there is room, those that allocated memory
 * of which nothing is in use.
 */
void report_memory_freed(const struct functions *f, struct profdata_memory *memory,
			 uint32_t *sorted, size_t *n);

/* Leave out the places of memory of which nothing is in use. */
void report_memory_in_use(struct report *r);

/* Return whether a time line tells what processes waited for, and who woke them. */
bool report_has_wakeups(const struct profdata *p);

/* Return what the calls of a function took as the page reads it, in microseconds. */
struct json_t *report_times(const struct report *r, const struct calls_times *t);

/*
 * Return the records of a time line as the page reads them: the last ones of each CPU, `most` at
 * most; *left becomes the number of the others. node[sample] is where a path ends in the page's
 * tree, and line[sample] its line in the table of lines, or PROFDATA_NONE.
 */
struct json_t *report_timeline(const struct profdata *p, const uint32_t *node,
			       const uint32_t *line, size_t most, size_t *left);

/*
 * Keep only the paths that lead through the function of --root, if it is given. Return 0, or -1 and
 * *why: there are none. report_root() returns the place of its outermost call in a path, where a
 * page's tree begins: 0 without the option, n if it is not there.
 */
int report_rooted(struct report *r, struct complaint *why);
size_t report_root(const struct report *r, const struct step *step, size_t n);

/*
 * Complain of a function of that name: "FILE: WHAT NAME", and of one that is only inlined say into
 * which others, and what shows it. Return -1.
 */
int report_no_function(const struct report *r, const char *what, const char *wanted,
		       struct complaint *why);

/* Complain that the profile knows no calls, and say what does of the same. Return -1. */
int report_no_calls(const struct report *r, struct complaint *why);

/* Say below the rows that there are inlined functions in these, if there are. */
void report_inlined_hint(const struct report *r);

/* Return a sentence that no source of what was shown was found; NULL: some was. Caller frees. */
char *report_no_source(const struct report *r);

/* Print the head: what was counted, and in which modes. */
void report_head(const struct report *r);

/*
 * Return for each function, by its number, the standard error of its share, by how much repeated
 * runs vary; NAN: several functions have that name. The caller frees it; NULL: there is one run.
 * With `all` the share is that of what it called, too.
 */
double *report_errors(struct report *r, bool all);

/* Return a count as per cent of everything that was counted. */
double report_percent(const struct report *r, double count);

/* Return whether a row of that share is shown, when `above` rows come before it. */
bool report_shows(const struct report *r, size_t above, double percent);

/* Say how many rows were left out, if any. */
void report_left_out(size_t rows);

/* Print a share in `width` columns: on a terminal, a large one in a colour. */
void report_share(const struct report *r, int width, double percent);

/* Print a line of titles, without its newline. */
void report_titles(const struct report *r, const char *text);

/* Return the name of a function's module, or NULL. */
const char *report_module(const struct report *r, uint32_t function);

/* Return counts as reports on calls show them: milliseconds where ticks have a known length. */
double report_shown(const struct report *r, double count);

/*
 * Say, if the profile has buckets, what REPORT_SHARED means after a count: other lines, or
 * instructions, have their part in it.
 */
#define REPORT_SHARED '*'
void report_shared(const struct report *r);

/* Return whether the profile tells which instructions, or functions of the kernel, ran. */
bool report_is_coverage(const struct report *r);

/*
 * Return whether the counts are how often each instruction ran. A line then ran as often as the
 * busiest of its own instructions did.
 */
bool report_has_runs(const struct report *r);

/* Write a function's name to `buf`, as MODULE:FUNCTION if there are several modules. */
const char *report_name(const struct report *r, uint32_t function, char *buf, size_t n);

/*
 * Return the edges from a function's callers, or with `down` those to what it calls, the most time
 * first: *n of them, in an array that the caller frees.
 */
struct graph_edge **report_edges(const struct graph *g, uint32_t function, bool down, size_t *n);

/*
 * Return whether `wanted', which is FUNCTION or MODULE:FUNCTION, means this function: by the name
 * that tells it from others, or by its plain one, which others may have.
 */
bool report_means(const char *wanted, const char *module, const char *name, const char *plain);
bool report_matches(const struct report *r, uint32_t function, const char *wanted);

#endif
