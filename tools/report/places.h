/*
 * What was counted on the lines of the source, for --lines and for the page. A line has what was
 * counted in its own code, wherever that was inlined; what it called is not in it.
 */
#ifndef TOOLS_REPORT_PLACES_H
#define TOOLS_REPORT_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/profile/coverage.h"
#include "tools/report/report.h"

/* What was counted on one line of the source. */
struct line_count {
	const char *file; /* NULL: unknown */
	const char *dir;  /* where the compiler ran for it; or NULL */
	unsigned line;
	uint32_t image;
	const char *function; /* the one whose code it is, also if that was inlined there */
	uint64_t count;
	uint64_t runs; /* the highest count of an instruction: report_has_runs() */
	code_addr pc; /* one of its addresses */
	bool idle;    /* the function is one that waits */
	bool shared;  /* some of the count may be of other lines */
};

/*
 * Add up by line what the images' counts, which are coverage_all()'s, have by address. Return *n
 * lines: idle ones last, then the most first. The caller frees them.
 */
struct line_count *places_count(struct report *r, const struct counts *all, size_t *n);

/*
 * Return for each frame of the profile which of these lines a count of it is on; PROFDATA_NONE: on
 * none. The caller frees it.
 */
uint32_t *places_of_frames(struct report *r, const struct counts *all,
			   const struct line_count *line, size_t n);

/*
 * Note in r->missing for each image why some of the lines, sorted by count, are not known, in place
 * of what was noted before; or forget that.
 */
void report_missing(struct report *r, const struct line_count *line, size_t n);
void report_missing_free(struct report *r);

#endif
