/* What the parts of gnomon-report(1) share: the options, and how numbers are printed. */
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
#include "tools/profile/selection.h"

#define REPORT_CAUTIONS 3

/* What the command line says. */
struct report_options {
	const char *function; /* of --callers, --callees and --annotate */
	const char *page;     /* the file that --html writes */
	const char *sources;  /* the folder of the sources; NULL: where the compiler ran */
	struct selection selection;
	struct images images;
	size_t limit; /* rows at most */
	bool inlined; /* inlined functions stand for themselves */
	bool lines;   /* with --annotate: leave out the instructions */
};

struct report {
	struct report_options options;
	const char *file; /* of the profile */
	struct profdata prof;
	struct functions functions;
	struct sources sources;
	const char *caution[REPORT_CAUTIONS]; /* in what its ticks are not true; or NULL */
	char *loss; /* how many are missing; or NULL */
};

/* Each prints one report on the standard output. Return 0, or -1 and *why. */
int report_flat(struct report *r, struct complaint *why);
int report_graph(struct report *r, struct complaint *why);
int report_callers(struct report *r, struct complaint *why);
int report_callees(struct report *r, struct complaint *why);
int report_lines(struct report *r, struct complaint *why);
int report_annotate(struct report *r, struct complaint *why);
int report_html(struct report *r, struct complaint *why); /* into a page for browsers */

/* Print the head: what was counted, and in which modes. */
void report_head(const struct report *r);

/* Return a count as per cent of everything that was counted. */
double report_percent(const struct report *r, double count);

/* Return counts as reports on calls show them: milliseconds where ticks have a known length. */
double report_shown(const struct report *r, double count);

/*
 * Say, if the profile has buckets, what REPORT_SHARED means behind a count: other lines, or
 * instructions, have their part in it.
 */
#define REPORT_SHARED '*'
void report_shared(const struct report *r);

/* Return whether the profile tells which instructions, or functions of the kernel, ran. */
bool report_is_coverage(const struct report *r);

/* Write a function's name to `buf`, as MODULE:FUNCTION if there are several modules. */
const char *report_name(const struct report *r, uint32_t function, char *buf, size_t n);

/*
 * Return the edges from a function's callers, or with `down` those to what it calls, the most time
 * first: *n of them, in an array that the caller frees.
 */
struct graph_edge **report_edges(const struct graph *g, uint32_t function, bool down, size_t *n);

/* Return whether `wanted`, which is FUNCTION or MODULE:FUNCTION, means this function. */
bool report_means(const char *wanted, const char *module, const char *function);
bool report_matches(const struct report *r, uint32_t function, const char *wanted);

#endif
