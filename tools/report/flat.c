/* gnomon-report(1): the head, and the flat profile. */
#include <inttypes.h>
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

/*
 * Print the titles of the columns. Those of call paths, of coverage and of ticks with a known
 * length have more than these:
 *
 *          ticks  self %  function
 */
static void print_titles(const struct report *r, const struct rows *rows)
{
	const struct profdata *p = &r->prof;

	printf("\n%14s %7s", profdata_unit_name[p->unit], "self %");
	if (p->has_paths)
		printf(" %7s", "all %");
	if (p->us > 0)
		printf(" %12s", "self ms");
	if (rows->calls)
		printf(" %12s", p->unit == PROFDATA_INSTRUCTIONS ? "first ran" : "calls");
	if (p->unit == PROFDATA_INSTRUCTIONS)
		printf(" %9s", "covered %");
	printf("  function\n");
}

/*
 * Print a function. A time or a number of calls that is not known is left blank, for 0 would
 * say that it is known.
 */
static void print_row(const struct report *r, const struct rows *rows, uint32_t i)
{
	const struct function *f = &r->functions.function[i];
	const struct profdata *p = &r->prof;
	struct coverage c;
	char name[512];

	printf("%14" PRIu64 " %7.2f", f->self, report_percent(r, f->self));
	if (p->has_paths)
		printf(" %7.2f", report_percent(r, f->all));
	if (p->us > 0)
		printf(" %12.2f", profdata_ms(p, f->self));
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

/* Functions with counts come first; below the limit, their sum is one row. */
int report_flat(struct report *r, struct complaint *why)
{
	struct rows rows = {.n = 0};
	uint64_t rest = 0;
	size_t i;

	(void)why;
	functions_count(&r->functions);
	if (r->prof.narc || r->prof.unit == PROFDATA_INSTRUCTIONS)
		rows.calls = count_calls(r);
	rows.order = functions_sorted(&r->functions, &rows.n);
	if (rows.calls)
		add_called(&rows, &r->functions);
	if (report_is_coverage(r))
		rows.counts = coverage_all(&r->prof);
	report_head(r);
	if (rows.counts)
		print_coverage(r, &rows);
	print_titles(r, &rows);
	for (i = 0; i < rows.n && i < r->options.limit; i++)
		print_row(r, &rows, rows.order[i]);
	for (; i < rows.n; i++)
		rest += r->functions.function[rows.order[i]].self;
	if (rows.n > r->options.limit)
		printf("%14" PRIu64 " %7.2f  in %zu more; --limit 0 shows all\n", rest,
		       report_percent(r, rest), rows.n - r->options.limit);
	if (rows.counts)
		coverage_free(&r->prof, rows.counts);
	free(rows.calls);
	free(rows.order);
	return 0;
}
