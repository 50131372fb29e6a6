/* gnomon-report(1): how long calls took, each of which was measured; --calls and --histogram. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/report/report.h"

#define NAME 512
#define BAR "########################################" /* the longest */
#define MOST_WIDTH 32 /* of the column of functions; longer names move their callers on */

/* What rows may be sorted by. */
static const char *const keys[] = {
	[CALLS_BY_TOTAL] = "total", [CALLS_BY_CALLS] = "calls", [CALLS_BY_SELF] = "self",
	[CALLS_BY_MEAN] = "mean", [CALLS_BY_SHORTEST] = "shortest",
	[CALLS_BY_LONGEST] = "longest", [CALLS_BY_ASLEEP] = "asleep", NULL,
};

enum option_status report_calls_sort(void *field, const char *name, struct complaint *why)
{
	int i = option_word("sort", keys, name, why);

	if (i < 0)
		return OPTION_WRONG;
	*(enum calls_sort *)field = (enum calls_sort)i;
	return OPTION_OK;
}

/* Return the mean time of a call in units of the clock. */
static double calls_mean(const struct calls_times *t)
{
	if (t->count == 0)
		return 0;
	return (double)t->total / (double)t->count;
}

/* Return the number that rows are sorted by. */
static double calls_weight(const struct calls_times *t, enum calls_sort by)
{
	const double weight[] = {
		[CALLS_BY_TOTAL] = (double)t->total, [CALLS_BY_CALLS] = (double)t->count,
		[CALLS_BY_SELF] = (double)t->self, [CALLS_BY_MEAN] = calls_mean(t),
		[CALLS_BY_SHORTEST] = (double)t->shortest,
		[CALLS_BY_LONGEST] = (double)t->longest, [CALLS_BY_ASLEEP] = (double)t->asleep,
	};

	return weight[by];
}

/* For qsort_r: the largest first; of equal ones in the order of functions. */
static int compare_rows(const void *va, const void *vb, void *arg)
{
	const struct calls_row *a = va, *b = vb;
	enum calls_sort by = *(const enum calls_sort *)arg;
	int d = order_real(calls_weight(&b->times, by), calls_weight(&a->times, by));

	if (d == 0)
		d = order(a->function, b->function);
	if (d == 0)
		d = order(a->caller, b->caller);
	return d;
}

/* Return a time in microseconds. */
static double calls_us(const struct report *r, double units)
{
	return units * r->prof.us;
}

/* Say what the times are, and what is missing in them. */
static void print_head(const struct report *r)
{
	const struct calls *c = &r->prof.timed;
	struct calls_cpu all = calls_cpus(c);

	report_head(r);
	printf("  each call was measured; the %.3f us that measuring took for each are no part of "
	       "times,\n  nor is the time while another thread ran: asleep\n",
	       calls_us(r, (double)c->cost));
	if (all.lost)
		printf("  %" PRIu64 " calls were lost\n", all.lost);
	if (all.left)
		printf("  %" PRIu64 " calls never returned\n", all.left);
	putchar('\n');
}

/* Return the width of the column of functions. */
static int name_width(const struct report *r, const struct calls_row *row, size_t n)
{
	size_t width = strlen("function"), i;
	char name[NAME];

	for (i = 0; i < n; i++)
		width = order_max(width, strlen(report_name(r, row[i].function, name, NAME)));
	return (int)order_min(width, MOST_WIDTH);
}

/* Print the calls of a function by one caller. */
static void print_row(const struct report *r, const struct calls_row *row, int width)
{
	const struct calls_times *t = &row->times;
	char function[NAME], caller[NAME];

	printf("%10" PRIu64 " %13.3f %13.3f", t->count, calls_us(r, (double)t->total),
	       calls_us(r, (double)t->self));
	printf(" %11.3f %11.3f %11.3f", calls_us(r, calls_mean(t)),
	       calls_us(r, (double)t->shortest), calls_us(r, (double)t->longest));
	printf(" %13.3f  %-*s  %s\n", calls_us(r, (double)t->asleep), width,
	       report_name(r, row->function, function, NAME),
	       report_name(r, row->caller, caller, NAME));
}

/* Print the table. */
static void print_rows(const struct report *r, const struct calls_row *row, size_t shown,
		       size_t left_out)
{
	size_t i;
	int width = name_width(r, row, shown);
	char text[192];

	print_head(r);
	snprintf(text, sizeof(text), "%10s %13s %13s %11s %11s %11s %13s  %-*s  %s", "calls",
		 "total us", "self us", "mean us", "shortest us", "longest us", "asleep us", width,
		 "function", "caller");
	report_titles(r, text);
	putchar('\n');
	for (i = 0; i < shown; i++)
		print_row(r, &row[i], width);
	report_left_out(left_out);
}

/* Return a histogram as a word for each cell, "16.384:2": calls from so many us on. */
static char *histogram_text(const struct report *r, const struct calls_times *t)
{
	struct memory_stream to;
	const char *blank = "";
	unsigned i;

	memory_stream_open(&to);
	for (i = 0; i < CALLS_SPANS; i++) {
		if (t->span[i] == 0)
			continue;
		fprintf(to.f, "%s%.12g:%" PRIu64, blank, calls_us(r, (double)(1ull << i)),
			t->span[i]);
		blank = " ";
	}
	memory_stream_close(&to);
	return to.data;
}

/* Write the calls of a function by one caller as a row of data. */
static void write_row(struct sheet *s, const struct calls_row *row)
{
	const struct calls_times *t = &row->times;
	char *histogram = histogram_text(s->r, t);
	bool over = t->count > 0;

	sheet_function(s, row->function);
	sheet_function(s, row->caller);
	sheet_count(s, t->count);
	sheet_number(s, calls_us(s->r, (double)t->total));
	sheet_number(s, calls_us(s->r, (double)t->self));
	sheet_number_if(s, over, calls_us(s->r, calls_mean(t)));
	sheet_number_if(s, over, calls_us(s->r, (double)t->shortest));
	sheet_number_if(s, over, calls_us(s->r, (double)t->longest));
	sheet_number(s, calls_us(s->r, (double)t->asleep));
	sheet_text(s, histogram);
	free(histogram);
}

/* Write the table as data. */
static void write_rows(const struct report *r, const struct calls_row *row, size_t shown,
		       size_t left_out)
{
	static const char *const column[] = {
		"module", "function", "caller_module", "caller", "calls", "total_us", "self_us",
		"mean_us", "shortest_us", "longest_us", "asleep_us", "histogram_us", NULL,
	};
	struct sheet s;
	size_t i;

	sheet_begin(&s, r, column);
	for (i = 0; i < shown; i++)
		write_row(&s, &row[i]);
	sheet_end(&s, "calls", left_out);
}

/* Leave out the rows that --limit does, by their time. Return how many stay. */
static size_t limit_rows(const struct report *r, struct calls_row *row, size_t n)
{
	size_t i, kept = 0;

	for (i = 0; i < n; i++)
		if (report_shows(r, kept, report_percent(r, (double)row[i].times.total)))
			row[kept++] = row[i];
	return kept;
}

/* Check that the profile is of calls that were measured. */
static int check_timed(const struct report *r, struct complaint *why)
{
	if (r->prof.unit == PROFDATA_CYCLES)
		return 0;
	return complain(why, "%s: it has no durations of calls; kpcall has them", r->file);
}

int report_calls(struct report *r, struct complaint *why)
{
	struct calls_row *row;
	size_t n, shown;

	if (check_timed(r, why) < 0)
		return -1;
	row = calls_rows(&r->functions, true, &n);
	if (n)
		qsort_r(row, n, sizeof(*row), compare_rows, &r->options.calls_sort);
	shown = limit_rows(r, row, n);
	if (r->options.format == SHEET_TEXT)
		print_rows(r, row, shown, n - shown);
	else
		write_rows(r, row, shown, n - shown);
	free(row);
	return 0;
}

/* Find the first and the last cell of a histogram that is not 0, and the most that one has. */
static uint64_t histogram_bounds(const struct calls_times *t, unsigned *first, unsigned *last)
{
	uint64_t most = 0;
	unsigned i;

	*first = CALLS_SPANS;
	*last = 0;
	for (i = 0; i < CALLS_SPANS; i++) {
		if (t->span[i] == 0)
			continue;
		if (*first == CALLS_SPANS)
			*first = i;
		*last = i;
		most = order_max(most, t->span[i]);
	}
	return most;
}

/* Return how long the bar of n is, which is not 0: one of many is still seen. */
static int bar_length(uint64_t n, uint64_t most)
{
	double length = (double)n / (double)most * (sizeof(BAR) - 1);

	if (length < 1)
		return 1;
	return (int)length;
}

/* Print a histogram. Its first cell has also what took no time. */
static void print_histogram(const struct report *r, const struct calls_times *t)
{
	unsigned first, last, i;
	uint64_t most = histogram_bounds(t, &first, &last);
	char text[128];

	print_head(r);
	snprintf(text, sizeof(text), "%13s %13s %10s %7s  %s", "from us", "below us", "calls", "%",
		 r->options.function);
	report_titles(r, text);
	putchar('\n');
	for (i = first; i <= last; i++) {
		double from = calls_us(r, (double)(1ull << i));

		printf("%13.3f %13.3f %10" PRIu64 " %7.2f", from, 2 * from, t->span[i],
		       100.0 * (double)t->span[i] / (double)t->count);
		if (t->span[i])
			printf("  %.*s", bar_length(t->span[i], most), BAR);
		putchar('\n');
	}
	printf("%s: %" PRIu64 " calls, mean %.3f us, shortest %.3f us, longest %.3f us\n",
	       r->options.function, t->count, calls_us(r, calls_mean(t)),
	       calls_us(r, (double)t->shortest), calls_us(r, (double)t->longest));
}

/* Write a histogram as data. */
static void write_histogram(const struct report *r, const struct calls_times *t)
{
	static const char *const column[] = {"from_us", "below_us", "calls", "percent", NULL};
	unsigned first, last, i;
	struct sheet s;

	histogram_bounds(t, &first, &last);
	sheet_begin(&s, r, column);
	for (i = first; i <= last; i++) {
		double from = calls_us(r, (double)(1ull << i));

		sheet_number(&s, from);
		sheet_number(&s, 2 * from);
		sheet_count(&s, t->span[i]);
		sheet_number(&s, 100.0 * (double)t->span[i] / (double)t->count);
	}
	sheet_end(&s, "histogram", 0);
}

json_t *report_times(const struct report *r, const struct calls_times *t)
{
	json_t *spans = json_array();
	unsigned i;

	for (i = 0; i < CALLS_SPANS; i++)
		if (t->span[i])
			json_array_append_new(spans, json_pack("[f, I]",
							       calls_us(r, (double)(1ull << i)),
							       (json_int_t)t->span[i]));
	return json_pack("{s:I, s:f, s:f, s:f, s:f, s:o}", "calls", (json_int_t)t->count,
			 "mean", calls_us(r, calls_mean(t)),
			 "shortest", calls_us(r, (double)t->shortest),
			 "longest", calls_us(r, (double)t->longest),
			 "asleep", calls_us(r, (double)t->asleep), "spans", spans);
}

int report_histogram(struct report *r, struct complaint *why)
{
	struct calls_times sum = {.count = 0};
	struct calls_row *row;
	size_t n, i;

	if (check_timed(r, why) < 0)
		return -1;
	row = calls_rows(&r->functions, false, &n);
	for (i = 0; i < n; i++)
		if (report_matches(r, row[i].function, r->options.function))
			calls_add(&sum, &row[i].times);
	free(row);
	if (sum.count == 0)
		return complain(why, "%s: no call of a function %s was measured to its end",
				r->file, r->options.function);
	if (r->options.format == SHEET_TEXT)
		print_histogram(r, &sum);
	else
		write_histogram(r, &sum);
	return 0;
}
