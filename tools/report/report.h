/* What the parts of gnomon-report(1) share: what was asked for, and how numbers are printed. */
#ifndef TOOLS_REPORT_REPORT_H
#define TOOLS_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/complaint.h"
#include "tools/profile/functions.h"
#include "tools/code/image.h"
#include "tools/profile/profdata.h"
#include "tools/code/source.h"

struct report {
	struct profdata prof;
	struct images images;
	struct functions functions;
	struct sources sources;
	const char *file;
	const char *caution[2]; /* why ticks cannot all be where they belong; or NULL */
	size_t limit; /* rows at most */
	bool inlined; /* inlined functions stand for themselves */
	bool no_code; /* annotations without instructions */
};

/* Each prints its report on the standard output. 0, or -1 and why. */
int report_flat(struct report *r, struct complaint *why);
int report_graph(struct report *r, struct complaint *why);
int report_callers(struct report *r, const char *name, bool down, struct complaint *why);
int report_lines(struct report *r, struct complaint *why);
int report_annotate(struct report *r, const char *name, struct complaint *why);

/* Writes the page that browsers show. 0, or -1 and why. */
int report_html(struct report *r, const char *path, struct complaint *why);

/* The head: what was counted, and where the processor was. */
void report_head(const struct report *r);

/* Per cent of everything that was counted. */
double report_percent(const struct report *r, double count);

/* Whether the profile tells which instructions, or functions of the kernel, ran. */
bool report_is_coverage(const struct report *r);

/* A function's name, with its module's where there are several, in `buf`. */
const char *report_name(const struct report *r, uint32_t function, char *buf, size_t n);

/* Whether a function of a module is meant by FUNCTION or MODULE:FUNCTION. */
bool report_means(const char *wanted, const char *module, const char *function);
bool report_matches(const struct report *r, uint32_t function, const char *wanted);

#endif
