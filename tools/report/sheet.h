/*
 * A report as data for other programs: rows of named columns, as CSV (RFC 4180) or as JSON. Each
 * report always has the same columns, in the same order; what is not known is empty, or null.
 */
#ifndef TOOLS_REPORT_SHEET_H
#define TOOLS_REPORT_SHEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/option.h"

struct report;

enum sheet_format { SHEET_TEXT, SHEET_CSV, SHEET_JSON };

/* What is being written. In a column's name, % stands for the unit of the profile: "self_%". */
struct sheet {
	const struct report *r;
	const char *const *column;
	size_t ncolumn, at;	    /* the cell that comes next */
	struct json_t *rows, *row;  /* of JSON */
};

/* Option: text, csv or json into an enum sheet_format. */
option_take sheet_format;

/* Begin a report; the columns' names end with a NULL, and last. CSV is printed as cells come. */
void sheet_begin(struct sheet *s, const struct report *r, const char *const *column);

/* Fill the next cell. A NULL, or NAN, is what is not known; the last cell ends the row. */
void sheet_text(struct sheet *s, const char *text);
void sheet_count(struct sheet *s, uint64_t count);
void sheet_number(struct sheet *s, double number);
void sheet_flag(struct sheet *s, bool flag);
void sheet_unknown(struct sheet *s);

/* Fill two cells, of which the next is not the last: a function's module and its name. */
void sheet_function(struct sheet *s, uint32_t function); /* GRAPH_NONE: it is not known */

/* Fill the next cell with a number if that is known. */
void sheet_count_if(struct sheet *s, bool known, uint64_t count);
void sheet_number_if(struct sheet *s, bool known, double number);

/* End the report on the standard output; a limit has left out that number of rows. */
void sheet_end(struct sheet *s, const char *report, size_t left_out);

#endif
