/* gnomon-report(1): the flat profile. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/profile/coverage.h"
#include "tools/report/report.h"

/*
 * Count how often other functions called each function: by arcs, or by how often its first
 * instruction ran. Every function that an arc names must have a number before the array can
 * have its size, so the arcs are gone through twice.
 */
static uint64_t *count_calls(struct report *r)
{
	const struct profdata *p = &r->prof;
	struct functions *f = &r->functions;
	const struct profdata_frame *leaf;
	uint64_t *calls;
	uint32_t to;
	size_t i;

	for (i = 0; i < p->narc; i++) {
		functions_at(f, p->arc[i].image, p->arc[i].selfpc);
		functions_at(f, p->arc[i].image, p->arc[i].frompc);
	}
	calls = memory_zeroed(f->n, sizeof(*calls));
	for (i = 0; i < p->narc; i++) {
		to = functions_at(f, p->arc[i].image, p->arc[i].selfpc);
		if (to != functions_at(f, p->arc[i].image, p->arc[i].frompc))
			calls[to] += p->arc[i].count;
	}
	if (p->unit != PROFDATA_INSTRUCTIONS)
		return calls;
	for (i = 0; i < p->nsample; i++) {
		leaf = profdata_leaf(p, &p->sample[i]);
		to = functions_leaf(f, &p->sample[i]);
		if (leaf && leaf->pc == f->function[to].start)
			calls[to] += p->sample[i].count;
	}
	return calls;
}

/* The rows of the report. */
struct rows {
	const struct report *r;
	uint32_t *order; /* numbers of functions */
	size_t n;
	uint64_t *calls; /* by function; NULL: unknown */
	struct counts *counts; /* by image; NULL: the profile is not of coverage */
	struct profdata_memory *memory; /* by function; NULL: unknown */
	double *error, *error_all; /* by function, of self and all; NULL: unknown */
};

/* For qsort_r: the most calls first. */
static int compare_calls(const void *va, const void *vb, void *arg)
{
	const uint32_t a = *(const uint32_t *)va, b = *(const uint32_t *)vb;
	const uint64_t *calls = arg;

	if (calls[a] != calls[b])
		return order(calls[b], calls[a]);
	return order(a, b);
}

/* Append functions that were called, but in which nothing was counted. */
static void add_called(struct rows *rows, const struct functions *f)
{
	size_t first = rows->n;
	uint32_t i;

	for (i = 0; i < f->n; i++)
		if (!f->function[i].all && rows->calls[i])
			rows->order[rows->n++] = i;
	qsort_r(rows->order + first, rows->n - first, sizeof(*rows->order), compare_calls,
		rows->calls);
}

/* Return how many of a function's instructions ran. */
static struct coverage flat_covered(const struct report *r, const struct rows *rows,
				    const struct function *f)
{
	const struct symbol *symbol;
	struct image *elf;

	if (f->image == PROFDATA_NONE)
		return (struct coverage){.run = 0};
	elf = r->prof.image[f->image].elf;
	symbol = image_symbol(elf, f->start);
	if (f->end == 0 || !symbol)
		return (struct coverage){.run = 0};
	return coverage_of(elf, &rows->counts[f->image], symbol);
}

/* Return the count that a function's row begins with, and by which the rows are sorted. */
static uint64_t flat_weight(const struct report *r, uint32_t i)
{
	const struct function *f = &r->functions.function[i];

	if (r->options.inclusive)
		return f->all;
	return f->self;
}

/* What the report is of: each column stands in some of them. */
static bool is_exclusive(const struct rows *rows)
{
	return !rows->r->options.inclusive;
}

static bool is_inclusive(const struct rows *rows)
{
	return rows->r->options.inclusive;
}

static bool has_errors(const struct rows *rows)
{
	return rows->error;
}

static bool is_exclusive_of_paths(const struct rows *rows)
{
	return rows->r->prof.has_paths && !rows->r->options.inclusive;
}

static bool is_exclusive_of_time(const struct rows *rows)
{
	return rows->r->prof.us > 0 && !rows->r->options.inclusive;
}

static bool is_inclusive_of_time(const struct rows *rows)
{
	return rows->r->prof.us > 0 && rows->r->options.inclusive;
}

static bool is_of_instructions(const struct rows *rows)
{
	return rows->r->prof.unit == PROFDATA_INSTRUCTIONS;
}

static bool has_calls(const struct rows *rows)
{
	return rows->calls && rows->r->prof.unit != PROFDATA_INSTRUCTIONS;
}

static bool has_memory(const struct rows *rows)
{
	return rows->memory;
}

/* Paths of memory have in place of that modes: what is in use, and what was freed. */
static bool has_memory_in_use(const struct rows *rows)
{
	return rows->memory && rows->r->prof.nmemory > 0;
}

/* Each prints one cell of a function's row: a blank, then the value in `width` columns. */
static void print_self(const struct rows *rows, uint32_t i, int width)
{
	const struct report *r = rows->r;

	report_share(r, width + 1, report_percent(r, r->functions.function[i].self));
}

static void print_all(const struct rows *rows, uint32_t i, int width)
{
	const struct report *r = rows->r;

	report_share(r, width + 1, report_percent(r, r->functions.function[i].all));
}

static void print_error(const struct rows *rows, uint32_t i, int width)
{
	double error = rows->error[i];

	if (rows->r->options.inclusive)
		error = rows->error_all[i];
	if (isnan(error))
		printf(" %*s", width, "");
	else
		printf(" %*.2f", width, error);
}

static void print_ms(const struct rows *rows, uint32_t i, int width)
{
	printf(" %*.2f", width, profdata_ms(&rows->r->prof, flat_weight(rows->r, i)));
}

static void print_calls(const struct rows *rows, uint32_t i, int width)
{
	if (rows->calls[i])
		printf(" %*" PRIu64, width, rows->calls[i]);
	else
		printf(" %*s", width, "");
}

static void print_covered(const struct rows *rows, uint32_t i, int width)
{
	struct coverage c = flat_covered(rows->r, rows, &rows->r->functions.function[i]);

	if (c.instructions)
		printf(" %*.2f", width, 100.0 * c.run / c.instructions);
	else
		printf(" %*s", width, "");
}

static void print_blocks(const struct rows *rows, uint32_t i, int width)
{
	printf(" %*" PRIu64, width, rows->memory[i].blocks);
}

static void print_ever(const struct rows *rows, uint32_t i, int width)
{
	printf(" %*" PRIu64, width, rows->memory[i].total);
}

static void print_allocated(const struct rows *rows, uint32_t i, int width)
{
	if (rows->memory[i].allocated)
		printf(" %*" PRIu64, width, rows->memory[i].allocated);
	else
		printf(" %*s", width, "");
}

/*
 * The columns between the count and the name. A number that is not known is left blank, for 0
 * would say that it is known.
 */
static const struct column {
	const char *title;
	int width;
	bool (*when)(const struct rows *rows);
	void (*print)(const struct rows *rows, uint32_t i, int width);
} columns[] = {
	{"self %", 7, is_exclusive, print_self},
	{"all %", 7, is_inclusive, print_all},
	{"+-", 6, has_errors, print_error},
	{"all %", 7, is_exclusive_of_paths, print_all},
	{"self %", 7, is_inclusive, print_self},
	{"self ms", 12, is_exclusive_of_time, print_ms},
	{"all ms", 12, is_inclusive_of_time, print_ms},
	{"calls", 12, has_calls, print_calls},
	{"first ran", 12, is_of_instructions, print_calls},
	{"covered %", 9, is_of_instructions, print_covered},
	{"blocks", 9, has_memory_in_use, print_blocks},
	{"bytes in all", 14, has_memory_in_use, print_ever},
	{"blocks in all", 13, has_memory, print_allocated},
};

#define NCOLUMNS (sizeof(columns) / sizeof(columns[0]))

/* Print the titles of the columns: at least "ticks  self %  function". */
static void print_titles(const struct report *r, const struct rows *rows)
{
	const struct column *c;
	char text[128];
	size_t n = (size_t)snprintf(text, sizeof(text), "%14s", profdata_unit_name[r->prof.unit]);

	for (c = columns; c < columns + NCOLUMNS; c++)
		if (c->when(rows))
			n += (size_t)snprintf(text + n, sizeof(text) - n, " %*s", c->width,
					      c->title);
	snprintf(text + n, sizeof(text) - n, "  function");
	putchar('\n');
	report_titles(r, text);
	putchar('\n');
}

/* Print a function. */
static void print_row(const struct report *r, const struct rows *rows, uint32_t i)
{
	const struct column *c;
	char name[512];

	printf("%14" PRIu64, flat_weight(r, i));
	for (c = columns; c < columns + NCOLUMNS; c++)
		if (c->when(rows))
			c->print(rows, i, c->width);
	printf("  %s\n", report_name(r, i, name, sizeof(name)));
}

/* Return a function's element of rows->error or rows->error_all; NAN: it is not known. */
static double error_of(const double *error, uint32_t i)
{
	if (!error)
		return NAN;
	return error[i];
}

/* Write a function as a row of data. */
static void write_row(struct sheet *s, const struct rows *rows, uint32_t i)
{
	const struct report *r = s->r;
	const struct function *f = &r->functions.function[i];
	bool timed = r->prof.us > 0, all = r->prof.has_paths || r->options.inclusive;
	struct coverage c = {.instructions = 0};
	uint64_t calls = 0;
	struct profdata_memory memory = {.total = 0};

	if (r->prof.unit == PROFDATA_INSTRUCTIONS)
		c = flat_covered(r, rows, f);
	if (rows->calls)
		calls = rows->calls[i];
	if (rows->memory)
		memory = rows->memory[i];
	sheet_text(s, report_module(r, i));
	sheet_text(s, f->name);
	sheet_flag(s, f->inlined);
	sheet_count(s, f->self);
	sheet_number(s, report_percent(r, f->self));
	sheet_count_if(s, all, f->all);
	sheet_number_if(s, all, report_percent(r, f->all));
	sheet_number_if(s, timed, profdata_ms(&r->prof, f->self));
	sheet_number_if(s, timed && all, profdata_ms(&r->prof, f->all));
	sheet_count_if(s, rows->calls, calls);
	sheet_number_if(s, c.instructions, 100.0 * c.run / c.instructions);
	sheet_number(s, error_of(rows->error, i));
	sheet_number_if(s, all, error_of(rows->error_all, i));
	sheet_count_if(s, has_memory_in_use(rows), memory.blocks);
	sheet_count_if(s, rows->memory, memory.total);
	sheet_count_if(s, rows->memory, memory.allocated);
}

/* Print which functions of a program did not run, for those have no rows. */
static void print_missed(const struct image *elf, const struct counts *c)
{
	char *names = coverage_not_run(elf, c);

	if (names)
		printf("  %-10s did not run: %s\n", "", names);
	free(names);
}

/* Print how much of each program ran; the kernel has counts of calls only. */
static void print_coverage(const struct report *r, const struct rows *rows)
{
	struct coverage all;
	size_t i;

	for (i = 0; i < r->prof.nimage; i++) {
		struct image *elf = r->prof.image[i].elf;

		if (!elf)
			continue;
		if (!rows->counts[i].n)
			continue;
		all = coverage_of_all(elf, &rows->counts[i]);
		if (all.instructions && elf->kernel)
			printf("  %-10s %zu functions ran\n", r->prof.image[i].name, all.run);
		else if (all.instructions)
			printf("  %-10s %zu of %zu instructions ran, %.2f %%\n",
			       r->prof.image[i].name, all.run, all.instructions,
			       100.0 * all.run / all.instructions);
		print_missed(elf, &rows->counts[i]);
	}
}

/* For qsort_r: idle ones last, then the most in a function and in what it called first. */
static int compare_all(const void *va, const void *vb, void *arg)
{
	const struct function *a = (struct function *)arg + *(const uint32_t *)va;
	const struct function *b = (struct function *)arg + *(const uint32_t *)vb;

	if (functions_idle(a) != functions_idle(b))
		return order(functions_idle(a), functions_idle(b));
	if (a->all != b->all)
		return order(b->all, a->all);
	if (a->self != b->self)
		return order(b->self, a->self);
	return strcmp(a->name, b->name);
}

/* Compute from arcs what was counted in each function and what it called, as gprof does. */
static void count_by_arcs(struct report *r)
{
	struct graph g;
	uint32_t i;

	graph_make(&g, &r->functions);
	for (i = 0; i < g.n; i++)
		r->functions.function[i].all =
			(uint64_t)(g.node[i].self + g.node[i].children + 0.5);
	graph_free(&g);
}

/* Find the rows: functions with counts first. -1 and why: the profile knows no calls. */
static int find_rows(struct report *r, struct rows *rows, struct complaint *why)
{
	const struct profdata *p = &r->prof;
	bool calls = p->has_paths || p->narc;

	if (r->options.inclusive && !calls)
		return report_no_calls(r, why);
	functions_count(&r->functions);
	if (p->narc || p->unit == PROFDATA_INSTRUCTIONS)
		rows->calls = count_calls(r);
	if (r->options.inclusive && !p->has_paths)
		count_by_arcs(r);
	rows->order = functions_sorted(&r->functions, &rows->n);
	if (r->options.inclusive)
		qsort_r(rows->order, rows->n, sizeof(*rows->order), compare_all,
			r->functions.function);
	if (rows->calls)
		add_called(rows, &r->functions);
	rows->memory = report_memory(r);
	if (rows->memory)
		report_memory_freed(&r->functions, rows->memory, rows->order, &rows->n);
	if (report_is_coverage(r))
		rows->counts = coverage_all(p);
	rows->error = report_errors(r, false);
	rows->error_all = report_errors(r, true);
	r->varies = rows->error != NULL;
	return 0;
}

/* Print the rows; the sum of those that are left out is one row. */
static void print_rows(const struct report *r, const struct rows *rows)
{
	uint64_t rest = 0;
	size_t i, left_out = 0;

	report_head(r);
	report_waiters(r);
	if (rows->counts)
		print_coverage(r, rows);
	report_memory_programs(r);
	print_titles(r, rows);
	for (i = 0; i < rows->n; i++) {
		if (report_shows(r, i, report_percent(r, flat_weight(r, rows->order[i])))) {
			print_row(r, rows, rows->order[i]);
			continue;
		}
		rest += r->functions.function[rows->order[i]].self;
		left_out++;
	}
	if (r->options.inclusive)
		report_left_out(left_out);
	else if (left_out)
		printf("%14" PRIu64 " %7.2f  in %zu more; --limit 0 shows all\n", rest,
		       report_percent(r, rest), left_out);
}

/* Write the rows as data. */
static void write_rows(const struct report *r, const struct rows *rows)
{
	static const char *const column[] = {
		"module", "function", "inlined", "self_%", "self_percent", "all_%", "all_percent",
		"self_ms", "all_ms", "calls", "covered_percent", "self_percent_error",
		"all_percent_error", "blocks", "bytes_in_all", "blocks_in_all", NULL,
	};
	size_t i, left_out = 0;
	struct sheet s;

	sheet_begin(&s, r, column);
	for (i = 0; i < rows->n; i++) {
		if (report_shows(r, i, report_percent(r, flat_weight(r, rows->order[i]))))
			write_row(&s, rows, rows->order[i]);
		else
			left_out++;
	}
	sheet_end(&s, "flat", left_out);
}

int report_flat(struct report *r, struct complaint *why)
{
	struct rows rows = {.r = r};

	if (find_rows(r, &rows, why) < 0)
		return -1;
	if (r->options.format == SHEET_TEXT)
		print_rows(r, &rows);
	else
		write_rows(r, &rows);
	if (rows.counts)
		coverage_free(&r->prof, rows.counts);
	free(rows.error);
	free(rows.error_all);
	free(rows.calls);
	free(rows.memory);
	free(rows.order);
	return 0;
}
