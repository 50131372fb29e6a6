/* gnomon-report(1): rows for other programs: see sheet.h. */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/printable.h"
#include "tools/report/page/page.h"
#include "tools/report/report.h"

#define VERSION 1 /* of the schema: it changes when a name goes, or means something else */
#define DIGITS 12 /* of a number that is no whole one */

enum option_status sheet_format(void *field, const char *name, struct complaint *why)
{
	static const char *const format[] = {
		[SHEET_TEXT] = "text", [SHEET_CSV] = "csv", [SHEET_JSON] = "json", NULL,
	};
	int i = option_word("format", format, name, why);

	if (i < 0)
		return OPTION_WRONG;
	*(enum sheet_format *)field = (enum sheet_format)i;
	return OPTION_OK;
}

/* Return a column's name, which the caller frees. */
static char *column_name(const struct sheet *s, size_t i)
{
	const char *name = s->column[i], *percent = strchr(name, '%');

	if (!percent)
		return memory_string(name, strlen(name));
	return memory_format("%.*s%s%s", (int)(percent - name), name,
			     profdata_unit_name[s->r->prof.unit], percent + 1);
}

/* Write what stands between two cells of CSV, or ends a row. */
static void sheet_separate(const struct sheet *s)
{
	if (s->at + 1 < s->ncolumn)
		fputs(",", stdout);
	else
		fputs("\r\n", stdout);
}

/* Write a cell of CSV: in quotes, which are doubled within, if something in it needs that. */
static void write_csv(const struct sheet *s, const char *text)
{
	const char *c;

	if (!text[strcspn(text, ",\"\r\n")]) {
		fputs(text, stdout);
	} else {
		putchar('"');
		for (c = text; *c; c++) {
			if (*c == '"')
				putchar('"');
			putchar(*c);
		}
		putchar('"');
	}
	sheet_separate(s);
}

/* Fill a cell: with the text where it is CSV, or with the value, which becomes the sheet's. */
static void fill_cell(struct sheet *s, const char *text, json_t *value)
{
	char *name;

	if (s->r->options.format == SHEET_CSV) {
		write_csv(s, text);
		json_decref(value);
	} else {
		if (!s->row)
			s->row = json_object();
		name = column_name(s, s->at);
		json_object_set_new(s->row, name, value);
		free(name);
	}
	if (++s->at < s->ncolumn)
		return;
	s->at = 0;
	if (s->row)
		json_array_append_new(s->rows, s->row);
	s->row = NULL;
}

void sheet_unknown(struct sheet *s)
{
	fill_cell(s, "", json_null());
}

/* A spreadsheet takes what begins like a formula for one, unless an apostrophe comes first. */
void sheet_text(struct sheet *s, const char *text)
{
	char *shown;

	if (!text) {
		sheet_unknown(s);
		return;
	}
	shown = printable(text);
	if (*shown && strchr("=+-@\t", *shown)) {
		char *cell = memory_format("'%s", shown);

		free(shown);
		shown = cell;
	}
	fill_cell(s, shown, page_text(text));
	free(shown);
}

void sheet_count(struct sheet *s, uint64_t count)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, count);
	fill_cell(s, text, page_count(count));
}

void sheet_number(struct sheet *s, double number)
{
	char text[40];

	if (isnan(number)) {
		sheet_unknown(s);
		return;
	}
	snprintf(text, sizeof(text), "%.*g", DIGITS, number);
	fill_cell(s, text, json_real(number));
}

void sheet_function(struct sheet *s, uint32_t function)
{
	if (function == GRAPH_NONE) {
		sheet_unknown(s);
		sheet_unknown(s);
		return;
	}
	sheet_text(s, report_module(s->r, function));
	sheet_text(s, s->r->functions.function[function].name);
}

void sheet_count_if(struct sheet *s, bool known, uint64_t count)
{
	if (known)
		sheet_count(s, count);
	else
		sheet_unknown(s);
}

void sheet_number_if(struct sheet *s, bool known, double number)
{
	if (known)
		sheet_number(s, number);
	else
		sheet_unknown(s);
}

void sheet_flag(struct sheet *s, bool flag)
{
	static const char *const word[] = {"false", "true"};

	fill_cell(s, word[flag], json_boolean(flag));
}

void sheet_begin(struct sheet *s, const struct report *r, const char *const *column)
{
	char *name;

	*s = (struct sheet){.r = r, .column = column};
	while (column[s->ncolumn])
		s->ncolumn++;
	if (r->options.format == SHEET_JSON) {
		s->rows = json_array();
		return;
	}
	for (; s->at < s->ncolumn; s->at++) {
		name = column_name(s, s->at);
		write_csv(s, name);
		free(name);
	}
	s->at = 0;
}

/* Return what was counted in each mode. */
static json_t *sheet_modes(const struct profdata *p)
{
	json_t *all = json_object();
	int i;

	for (i = 0; i < PROFDATA_NMODES; i++)
		if (p->by_mode[i])
			json_object_set_new(all, profdata_mode_name[i],
					    page_count(p->by_mode[i]));
	return all;
}

/* Return what the text form says of the data in words. */
static json_t *sheet_notes(const struct report *r)
{
	char *none = report_no_source(r), *newer = sources_newer(&r->sources);
	json_t *all = json_array();
	size_t i;

	for (i = 0; i < REPORT_CAUTIONS && r->caution[i]; i++)
		json_array_append_new(all, page_text(r->caution[i]));
	if (r->memory)
		json_array_append_new(all, page_text(r->memory));
	if (r->loss)
		json_array_append_new(all, page_text(r->loss));
	if (r->unnamed)
		json_array_append_new(all, page_text(r->unnamed));
	for (i = 0; i < r->nmissing; i++)
		json_array_append_new(all, page_text(r->missing[i].text));
	if (none)
		json_array_append_new(all, page_text(none));
	if (newer)
		json_array_append_new(all, page_text(newer));
	free(none);
	free(newer);
	return all;
}

/* Return what comes before the rows. */
static json_t *sheet_head(const struct report *r, const char *report)
{
	const struct profdata *p = &r->prof;
	json_t *all = json_object(), *tick_us = json_null();

	if (p->us > 0)
		tick_us = json_real(p->us);
	json_object_set_new(all, "schema", json_string("gnomon-report"));
	json_object_set_new(all, "version", json_integer(VERSION));
	json_object_set_new(all, "report", json_string(report));
	json_object_set_new(all, "file", page_text(r->file));
	json_object_set_new(all, "kind", json_string(p->format));
	json_object_set_new(all, "unit", json_string(profdata_unit_name[p->unit]));
	json_object_set_new(all, "tick_us", tick_us);
	json_object_set_new(all, "total", page_count(p->total));
	json_object_set_new(all, "total_before_patterns", page_count(r->before));
	json_object_set_new(all, "runs", json_integer((json_int_t)r->repeats.n));
	json_object_set_new(all, "modes", sheet_modes(p));
	if (strcmp(p->format, "waits") == 0)
		json_object_set_new(all, "processes", report_waiters_json(r));
	json_object_set_new(all, "notes", sheet_notes(r));
	return all;
}

void sheet_end(struct sheet *s, const char *report, size_t left_out)
{
	json_t *all;

	if (s->r->options.format == SHEET_CSV) {
		if (left_out)
			fprintf(stderr, "gnomon report: --limit leaves out %zu rows\n", left_out);
		return;
	}
	all = sheet_head(s->r, report);
	json_object_set_new(all, "rows_left_out", json_integer((json_int_t)left_out));
	json_object_set_new(all, "rows", s->rows);
	json_dumpf(all, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(DIGITS));
	putchar('\n');
	json_decref(all);
}
