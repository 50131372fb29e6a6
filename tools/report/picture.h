/* A profile on its way to the page of gnomon-report(1) --html, which page/page.h describes. */
#ifndef TOOLS_REPORT_PICTURE_H
#define TOOLS_REPORT_PICTURE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/report/page/tree.h"
#include "tools/report/report.h"

#define PICTURE_COSTS 12 /* bytes of a line of source or code, besides its text */

struct picture {
	struct report *r;
	struct counts *counts;
	struct tree tree;
	int64_t *row;	  /* by function: where it is in the table, or -1 */
	size_t nrow;	  /* functions there were then: one that is found later is not in it */
	uint32_t *sorted; /* by row: its function */
	size_t rows;	  /* of the table */
	size_t annotated; /* of these, the first ones: they have source and code, or say why not */
	size_t text;	  /* bytes of source and code so far: PAGE_TEXT is all that there may be */
	json_t *names;	  /* the page's "names" */
	double percent; /* of everything: smaller frames are folded */
	size_t left; /* records of the time line that are not on it */
};

/*
 * Add source and code to a function's row, or why they are missing; of an inlined one, that in a
 * file, unless it is NULL, for several may have its name. Return what was counted in them, 0 too:
 * they are missing. Without `code`, which takes the most room, the source comes alone.
 */
uint64_t picture_annotate(struct picture *p, const struct function *f, const char *file,
			  json_t *row, bool code);

/*
 * Return the lines of the source on which most was counted, when `functions` are the rows of
 * the table. With line[sample], which the caller frees, each sample has the number of its line;
 * PROFDATA_NONE: it is on none of these.
 */
json_t *picture_lines(struct picture *p, json_t *functions, uint32_t **line);

#endif
