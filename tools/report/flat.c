/* gnomon-report(1): the head, and the flat profile. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/profile/coverage.h"
#include "tools/report/report.h"

/* Everything is a share of the profile's total, with what is outside of the kernel or idle. */
double report_percent(const struct report *r, double count)
{
	return r->prof.total ? 100 * count / r->prof.total : 0;
}

/* Coverage of programs counts instructions, that of the kernel calls. */
bool report_is_coverage(const struct report *r)
{
	return r->prof.unit == PROFDATA_INSTRUCTIONS || r->prof.unit == PROFDATA_CALLS;
}

bool report_shows(const struct report *r, size_t above, double percent)
{
	return above < r->options.limit.rows && percent >= r->options.limit.percent;
}

void report_left_out(size_t rows)
{
	if (rows)
		printf("%zu more; --limit 0 shows all\n", rows);
}

/* As perf does it: what takes 5 % is red, half a per cent is green. */
void report_share(const struct report *r, int width, double percent)
{
	const char *color = percent >= 5 ? "\033[31m" : percent >= 0.5 ? "\033[32m" : NULL;

	if (r->options.terminal.color && color)
		printf(" %s%*.2f\033[m", color, width - 1, percent);
	else
		printf(" %*.2f", width - 1, percent);
}

void report_titles(const struct report *r, const char *text)
{
	bool color = r->options.terminal.color;

	printf("%s%s%s", color ? "\033[1m" : "", text, color ? "\033[m" : "");
}

const char *report_module(const struct report *r, uint32_t function)
{
	uint32_t image = r->functions.function[function].image;

	return image == PROFDATA_NONE ? NULL : r->prof.image[image].name;
}

const char *report_name(const struct report *r, uint32_t function, char *buf, size_t n)
{
	const struct function *f = &r->functions.function[function];
	bool module = f->image != PROFDATA_NONE && r->prof.nimage > 1;

	snprintf(buf, n, "%s%s%s%s", module ? r->prof.image[f->image].name : "",
		 module ? ":" : "", f->name, f->inlined ? " (inlined)" : "");
	return buf;
}

bool report_means(const char *wanted, const char *module, const char *function)
{
	size_t n = strlen(module);

	return strcmp(wanted, function) == 0 ||
	       (strncmp(wanted, module, n) == 0 && wanted[n] == ':' &&
		strcmp(wanted + n + 1, function) == 0);
}

bool report_matches(const struct report *r, uint32_t function, const char *wanted)
{
	const struct function *f = &r->functions.function[function];

	return report_means(wanted, f->image != PROFDATA_NONE ?
			    r->prof.image[f->image].name : "", f->name);
}

/*
 * Say how much was lost. Where CPUs lost different shares, say which, for what ran on one that
 * lost more has too small a share of the sum.
 */
static void print_loss(const struct report *r)
{
	const struct runinfo *run = &r->prof.run;
	unsigned i, n = runinfo_ncpu(run);

	if (r->loss)
		printf("  %s\n", r->loss);
	if (r->prof.unit != PROFDATA_TICKS || !runinfo_uneven(run))
		return;
	for (i = 0; i < n; i++)
		printf("  cpu%-7u %12" PRIu64 " ticks, %" PRIu64 " lost: %.2f %%\n", i,
		       run->cpu[i].taken, run->cpu[i].lost, runinfo_percent(&run->cpu[i]));
	printf("  what ran on CPUs that lost more has too small a share; `gnomon merge --weigh' "
	       "adds up files of single CPUs (kgmon -c all) by what was due\n");
}

/* Say which paths were left out by patterns. */
static void print_patterns(const struct report *r)
{
	const struct sieve *s = &r->options.sieve;

	if (!sieve_given(s))
		return;
	printf("  of %" PRIu64 " %s in all:", r->before, profdata_unit_name[r->prof.unit]);
	if (s->focus.text)
		printf(" --focus %s", s->focus.text);
	if (s->ignore.text)
		printf(" --ignore %s", s->ignore.text);
	if (s->hide.text)
		printf(" --hide %s", s->hide.text);
	putchar('\n');
}

/*
 * kpdata: kpdata, 100 ticks of 500 us, 50.00 ms
 *   kernel               40   40.00 %
 *   outside              60   60.00 %
 */
void report_head(const struct report *r)
{
	const struct profdata *p = &r->prof;
	int i;

	profdata_print(p, r->file);
	putchar('\n');
	if (r->repeats.n > 1)
		printf("  %zu runs, added up%s\n", r->repeats.n, !r->varies ? "" :
		       "; +- is the standard error of a share, by how much they vary");
	else if (r->repeats.same)
		printf("  of %zu runs that are all the same, one\n", r->repeats.same);
	print_patterns(r);
	if (p->calls)
		printf("  kernel     %" PRIu64 " calls of its functions are not in this; "
		       "--module kernel shows them\n", p->calls);
	for (i = 0; i < PROFDATA_NMODES && profdata_is_time(p); i++)
		if (p->by_mode[i])
			printf("  %-10s %12" PRIu64 "  %6.2f %%\n", profdata_mode_name[i],
			       p->by_mode[i], report_percent(r, p->by_mode[i]));
	for (i = 0; i < REPORT_CAUTIONS && r->caution[i]; i++)
		printf("  %s\n", r->caution[i]);
	print_loss(r);
}

void report_shared(const struct report *r)
{
	const struct profdata_frame *leaf;
	uint32_t most = 1;
	size_t i;

	for (i = 0; i < r->prof.nsample; i++) {
		leaf = profdata_leaf(&r->prof, &r->prof.sample[i]);
		if (leaf && leaf->span > most)
			most = leaf->span;
	}
	if (most > 1)
		printf("  %c: a count is of up to %" PRIu32 " bytes of text: some belongs to what "
		       "follows%s\n", REPORT_SHARED, most,
		       strcmp(r->prof.format, "kpdata") == 0 ? "; kpstack is exact" : "");
}

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
	for (i = 0; i < p->nsample && p->unit == PROFDATA_INSTRUCTIONS; i++) {
		leaf = profdata_leaf(p, &p->sample[i]);
		to = functions_leaf(f, &p->sample[i]);
		if (leaf && leaf->pc == f->function[to].start)
			calls[to] += p->sample[i].count;
	}
	return calls;
}

/* The rows of the report. */
struct rows {
	uint32_t *order; /* numbers of functions */
	size_t n;
	uint64_t *calls; /* by function; NULL: unknown */
	struct counts *counts; /* by image; NULL: the profile is not of coverage */
	double *error, *error_all; /* by function, of self and all; NULL: unknown */
};

/* For qsort_r: the most calls first. */
static int compare_calls(const void *va, const void *vb, void *arg)
{
	const uint32_t a = *(const uint32_t *)va, b = *(const uint32_t *)vb;
	const uint64_t *calls = arg;

	if (calls[a] != calls[b])
		return calls[a] > calls[b] ? -1 : 1;
	return a < b ? -1 : a > b;
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
static struct coverage covered(const struct report *r, const struct rows *rows,
			       const struct function *f)
{
	if (f->image == PROFDATA_NONE)
		return (struct coverage){.run = 0};
	return coverage_of(r->prof.image[f->image].elf, &rows->counts[f->image], f->start, f->end);
}

/* Return whether the report tells what was counted in what a function called. */
static bool has_all(const struct report *r)
{
	return r->prof.has_paths || r->options.inclusive;
}

/*
 * Print the titles of the columns. Those of call paths, of coverage and of ticks with a known
 * length have more than these:
 *
 *          ticks  self %  function
 */
static void print_titles(const struct report *r, const struct rows *rows)
{
	const struct profdata *p = &r->prof;
	bool all = r->options.inclusive;
	char text[128];

	snprintf(text, sizeof(text), "%14s %7s%s%s%s%s%s  function", profdata_unit_name[p->unit],
		 all ? "all %" : "self %", rows->error ? "     +-" : "",
		 !has_all(r) ? "" : all ? "  self %" : "   all %",
		 p->us <= 0 ? "" : all ? "       all ms" : "      self ms",
		 !rows->calls ? "" : p->unit == PROFDATA_INSTRUCTIONS ? "    first ran" :
								       "        calls",
		 p->unit == PROFDATA_INSTRUCTIONS ? " covered %" : "");
	putchar('\n');
	report_titles(r, text);
	putchar('\n');
}

/* Print a standard error, if it is known. */
static void print_error(double error)
{
	if (isnan(error))
		printf(" %6s", "");
	else
		printf(" %6.2f", error);
}

/*
 * Print a function. A time or a number of calls that is not known is left blank, for 0 would
 * say that it is known.
 */
static void print_row(const struct report *r, const struct rows *rows, uint32_t i)
{
	const struct function *f = &r->functions.function[i];
	const struct profdata *p = &r->prof;
	uint64_t first = r->options.inclusive ? f->all : f->self;
	struct coverage c;
	char name[512];

	printf("%14" PRIu64, first);
	report_share(r, 8, report_percent(r, first));
	if (rows->error)
		print_error(r->options.inclusive ? rows->error_all[i] : rows->error[i]);
	if (has_all(r))
		report_share(r, 8, report_percent(r, r->options.inclusive ? f->self : f->all));
	if (p->us > 0)
		printf(" %12.2f", profdata_ms(p, first));
	if (rows->calls && rows->calls[i])
		printf(" %12" PRIu64, rows->calls[i]);
	else if (rows->calls)
		printf(" %12s", "");
	if (p->unit == PROFDATA_INSTRUCTIONS) {
		c = covered(r, rows, f);
		if (c.instructions)
			printf(" %9.2f", 100.0 * c.run / c.instructions);
		else
			printf(" %9s", "");
	}
	printf("  %s\n", report_name(r, i, name, sizeof(name)));
}

/* Write a function as a row of data. */
static void write_row(struct sheet *s, const struct rows *rows, uint32_t i)
{
	const struct report *r = s->r;
	const struct function *f = &r->functions.function[i];
	struct coverage c = {.instructions = 0};

	if (r->prof.unit == PROFDATA_INSTRUCTIONS)
		c = covered(r, rows, f);
	sheet_text(s, report_module(r, i));
	sheet_text(s, f->name);
	sheet_flag(s, f->inlined);
	sheet_count(s, f->self);
	sheet_number(s, report_percent(r, f->self));
	has_all(r) ? sheet_count(s, f->all) : sheet_unknown(s);
	has_all(r) ? sheet_number(s, report_percent(r, f->all)) : sheet_unknown(s);
	r->prof.us > 0 ? sheet_number(s, profdata_ms(&r->prof, f->self)) : sheet_unknown(s);
	r->prof.us > 0 && has_all(r) ? sheet_number(s, profdata_ms(&r->prof, f->all)) :
				       sheet_unknown(s);
	rows->calls ? sheet_count(s, rows->calls[i]) : sheet_unknown(s);
	c.instructions ? sheet_number(s, 100.0 * c.run / c.instructions) : sheet_unknown(s);
	sheet_number(s, rows->error ? rows->error[i] : NAN);
	sheet_number(s, rows->error && has_all(r) ? rows->error_all[i] : NAN);
}

/* Print how much of each program ran; the kernel has counts of calls only. */
static void print_coverage(const struct report *r, const struct rows *rows)
{
	struct coverage all, one;
	size_t i, j;

	for (i = 0; i < r->prof.nimage; i++) {
		struct image *elf = r->prof.image[i].elf;

		all = (struct coverage){.run = 0};
		for (j = 0; elf && rows->counts[i].n && j < elf->symbols.n; j++) {
			one = coverage_of(elf, &rows->counts[i], elf->symbols.sym[j].start,
					  elf->symbols.sym[j].end);
			all.instructions += one.instructions;
			all.run += one.run;
		}
		if (all.instructions && elf->kernel)
			printf("  %-10s %zu functions ran\n", r->prof.image[i].name, all.run);
		else if (all.instructions)
			printf("  %-10s %zu of %zu instructions ran, %.2f %%\n",
			       r->prof.image[i].name, all.run, all.instructions,
			       100.0 * all.run / all.instructions);
	}
}

/* For qsort_r: idle ones last, then the most in a function and in what it called first. */
static int compare_all(const void *va, const void *vb, void *arg)
{
	const struct function *a = (struct function *)arg + *(const uint32_t *)va;
	const struct function *b = (struct function *)arg + *(const uint32_t *)vb;

	if (functions_idle(a) != functions_idle(b))
		return functions_idle(a) ? 1 : -1;
	if (a->all != b->all)
		return a->all > b->all ? -1 : 1;
	if (a->self != b->self)
		return a->self > b->self ? -1 : 1;
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

	if (r->options.inclusive && !p->has_paths && !p->narc)
		return complain(why, "%s: it has no calls: neither paths nor arcs", r->file);
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
	if (report_is_coverage(r))
		rows->counts = coverage_all(p);
	rows->error = report_errors(r, false);
	rows->error_all = report_errors(r, true);
	r->varies = rows->error != NULL;
	return 0;
}

/* Return what a function's place in the list is by. */
static uint64_t weight(const struct report *r, uint32_t i)
{
	const struct function *f = &r->functions.function[i];

	return r->options.inclusive ? f->all : f->self;
}

/* Print the rows; the sum of those that are left out is one row. */
static void print_rows(const struct report *r, const struct rows *rows)
{
	uint64_t rest = 0;
	size_t i, left_out = 0;

	report_head(r);
	if (rows->counts)
		print_coverage(r, rows);
	print_titles(r, rows);
	for (i = 0; i < rows->n; i++) {
		if (report_shows(r, i, report_percent(r, weight(r, rows->order[i])))) {
			print_row(r, rows, rows->order[i]);
			continue;
		}
		rest += r->functions.function[rows->order[i]].self;
		left_out++;
	}
	if (left_out && r->options.inclusive)
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
		"all_percent_error", NULL,
	};
	size_t i, left_out = 0;
	struct sheet s;

	sheet_begin(&s, r, column);
	for (i = 0; i < rows->n; i++) {
		if (report_shows(r, i, report_percent(r, weight(r, rows->order[i]))))
			write_row(&s, rows, rows->order[i]);
		else
			left_out++;
	}
	sheet_end(&s, "flat", left_out);
}

int report_flat(struct report *r, struct complaint *why)
{
	struct rows rows = {.n = 0};

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
	free(rows.order);
	return 0;
}
