/*
 * gnomon-diff(1): how long calls took, function by function, where both sides have durations of
 * calls: the mean time of a call, and by how much that varies from run to run.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/diff/diff.h"
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/sorted.h"

/* What one side has of a function. */
struct half {
	struct calls_times times; /* of all runs together */
	double mean;		  /* of a call, in microseconds; of several runs their mean */
	double *run;		  /* the mean of each run in which it was called: n of them */
	size_t n, room;
};

/* A function, by its name, in both. */
struct row {
	const char *module, *name;
	struct half a, b;
	double difference, error; /* B's mean less A's, and its standard error, in microseconds */
	struct chance_row chance;
};

/* For qsort: by module and name. */
static int compare_names(const void *va, const void *vb)
{
	const struct row *a = va, *b = vb;
	int d = strcmp(a->module, b->module);

	if (d)
		return d;
	return strcmp(a->name, b->name);
}

/* For sorted_sum(): static functions of one name cannot be told apart, and are one. */
static void add_row(void *vto, const void *vfrom)
{
	const struct row *from = vfrom;
	struct row *to = vto;

	calls_add(&to->a.times, &from->a.times);
	calls_add(&to->b.times, &from->b.times);
}

/* Fill rows with the functions of A, or of B, that were called. Return how many. */
static size_t take_rows(struct row *row, struct functions *f, bool is_b)
{
	struct calls_row *from;
	size_t i, n, taken = 0;

	from = calls_rows(f, false, &n);
	for (i = 0; i < n; i++) {
		const struct function *function = &f->function[from[i].function];
		struct row *to = &row[taken];

		if (from[i].times.count == 0)
			continue;
		to->module = profdata_image_name(f->prof, function->image);
		to->name = function->name;
		if (is_b)
			to->b.times = from[i].times;
		else
			to->a.times = from[i].times;
		taken++;
	}
	free(from);
	return taken;
}

/* Return the functions of both sides, by name: *n of them, which free_rows() frees. */
static struct row *both_rows(struct diff *d, size_t *n)
{
	size_t most = d->a.prof.timed.n + d->b.prof.timed.n;
	struct row *row = memory_zeroed(most, sizeof(*row));
	size_t taken = take_rows(row, &d->a.functions, false);

	taken += take_rows(row + taken, &d->b.functions, true);
	*n = sorted_sum(row, taken, sizeof(*row), compare_names, add_row);
	return row;
}

static void free_rows(struct row *row, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		free(row[i].a.run);
		free(row[i].b.run);
	}
	free(row);
}

/* Return the mean time of a call in microseconds. */
static double mean_us(const struct profdata *p, const struct calls_times *t)
{
	if (t->count == 0)
		return 0;
	return (double)t->total / (double)t->count * p->us;
}

/* Add the means of a run, which is of A or of B, to the rows of its functions. */
static void add_run(struct row *row, size_t n, const struct profdata *run, bool is_b)
{
	struct row *of = memory_zeroed(run->timed.n, sizeof(*of)), *found;
	struct functions f;
	size_t i, taken;

	functions_init(&f, run, false);
	taken = take_rows(of, &f, false);
	taken = sorted_sum(of, taken, sizeof(*of), compare_names, add_row);
	for (i = 0; i < taken; i++) {
		struct half *half;

		found = bsearch(&of[i], row, n, sizeof(*row), compare_names);
		if (!found)
			continue;
		half = &found->a;
		if (is_b)
			half = &found->b;
		half->run = memory_grow(half->run, &half->room, half->n + 1, sizeof(*half->run));
		half->run[half->n++] = mean_us(run, &of[i].a.times);
	}
	functions_free(&f);
	free(of);
}

/* Add the means of all runs of a side. */
static void add_runs(struct row *row, size_t n, const struct diff_side *s, bool is_b)
{
	size_t i;

	for (i = 0; i < s->repeats.n; i++)
		add_run(row, n, &s->repeats.run[i], is_b);
}

/* Test a row by the means of its runs, of which each side must have two. */
static void test_row(struct row *r)
{
	struct repeats_spread a = repeats_spread(r->a.run, r->a.n, r->a.n);
	struct repeats_spread b = repeats_spread(r->b.run, r->b.n, r->b.n);
	struct chance_welch w = {.p = 1};

	r->a.mean = a.mean;
	r->b.mean = b.mean;
	r->difference = b.mean - a.mean;
	if (r->a.n < 2 || r->b.n < 2) {
		w.p = 1;
	} else if (a.variance + b.variance > 0) {
		w = chance_welch(&(struct chance_sample){(double)r->a.n, a.mean, a.variance},
				 &(struct chance_sample){(double)r->b.n, b.mean, b.variance});
	} else if (r->difference != 0) {
		w.p = 0;
	}
	r->error = w.error;
	r->chance.p = w.p;
	r->chance.z = copysign(chance_z(fmax(w.p, 1e-300)), r->difference);
}

/* Test all rows by the runs of both sides. */
static void test_rows(struct diff *d, struct row *row, size_t n)
{
	struct chance_row *chance = memory_zeroed(n, sizeof(*chance));
	size_t i;

	d->n = n;
	d->test = (struct chance_test){.few = d->options.few, .level = d->options.level};
	add_runs(row, n, &d->a, false);
	add_runs(row, n, &d->b, true);
	for (i = 0; i < n; i++) {
		test_row(&row[i]);
		chance[i] = row[i].chance;
	}
	chance_mark(&d->test, chance, n);
	for (i = 0; i < n; i++)
		row[i].chance = chance[i];
	free(chance);
}

/* Compare single runs: whatever differs does, for calls are measured and not sampled. */
static void subtract_rows(const struct diff *d, struct row *row, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		row[i].a.mean = mean_us(&d->a.prof, &row[i].a.times);
		row[i].b.mean = mean_us(&d->b.prof, &row[i].b.times);
		row[i].difference = row[i].b.mean - row[i].a.mean;
	}
}

/* For qsort_r: the order that was asked for, then the larger difference, then by name. */
static int compare_rows(const void *va, const void *vb, void *arg)
{
	const struct row *a = va, *b = vb;
	enum diff_sort sort = *(const enum diff_sort *)arg;
	int by = 0;

	if (sort == DIFF_BY_Z)
		by = order_real(fabs(b->chance.z), fabs(a->chance.z));
	if (!by && sort != DIFF_BY_NAME)
		by = order_real(fabs(b->difference), fabs(a->difference));
	if (!by)
		by = strcmp(a->name, b->name);
	if (!by)
		by = strcmp(a->module, b->module);
	return by;
}

/* Print the time of a call on one side; nothing if there was none. */
static void print_half(const struct half *half)
{
	if (half->times.count)
		printf(" %10" PRIu64 " %12.3f", half->times.count, half->mean);
	else
		printf(" %10s %12s", "-", "-");
}

/* Print a function. What only one side called has no difference. */
static void print_row(const struct diff *d, const struct row *r)
{
	bool both = r->a.times.count && r->b.times.count;
	char mark = ' ';

	print_half(&r->a);
	print_half(&r->b);
	if (both)
		printf(" %+12.3f %+8.2f", r->difference, 100 * r->difference / r->a.mean);
	else
		printf(" %12s %8s", "", "");
	if (r->chance.sure)
		mark = '*';
	if (d->repeated)
		printf(" %9.3f %+8.2f %c", r->error, r->chance.z, mark);
	printf("  %s\n", r->name);
}

/* Return the largest difference of a function that both called, the surest first; NULL: none. */
static const struct row *largest(const struct row *row, size_t n)
{
	static const enum diff_sort by = DIFF_BY_Z;
	const struct row *best = NULL;
	size_t i;

	for (i = 0; i < n; i++) {
		if (fmin(row[i].a.mean, row[i].b.mean) <= 0)
			continue;
		if (!best || compare_rows(&row[i], best, (void *)&by) < 0)
			best = &row[i];
	}
	return best;
}

/* Say in a sentence what was found. */
static void print_verdict(const struct diff *d, const struct row *row, size_t n)
{
	const struct row *most = largest(row, n);
	char *percent;

	if (!most) {
		puts("No function was called on both sides.");
		return;
	}
	percent = diff_percent(most->a.mean, most->b.mean, "more", "less");
	if (!d->repeated)
		printf("A call of %s takes %s time in B, which is the largest difference.\n",
		       most->name, percent);
	else if (d->test.nsure)
		printf("More than chance can explain: a call of %s takes %s time in B "
		       "(z = %+.2f).\n", most->name, percent, most->chance.z);
	else
		puts("Chance can explain every difference of times.");
	free(percent);
}

/* Say what is compared, and how far it can be trusted. */
static void print_head(const struct diff *d)
{
	diff_print_side("A", &d->a);
	diff_print_side("B", &d->b);
	puts("Compared: the mean time of a call. Each call was measured; none is a sample.");
	if (!d->repeated) {
		puts("One run does not tell how much runs vary; gnomon run --repeat makes "
		     "several.");
		return;
	}
	printf("By Welch's t-test: how much the means of the runs of each side vary counts.\n%s.\n",
	       diff_t_meaning);
	diff_print_level(d);
	printf("%zu of %zu functions differ by more than chance explains.\n", d->test.nsure, d->n);
}

/* Print the comparison. */
static void print_rows(const struct diff *d, const struct row *row, size_t n)
{
	size_t shown = order_min(n, d->options.limit), i;

	print_verdict(d, row, n);
	print_head(d);
	printf("\n %10s %12s %10s %12s %12s %8s", "A calls", "A mean us", "B calls", "B mean us",
	       "B - A us", "%");
	if (d->repeated)
		printf(" %9s %8s  ", "+-", "z");
	puts("  function");
	for (i = 0; i < shown; i++)
		print_row(d, &row[i]);
	if (shown < n)
		printf("\n%zu more functions; --limit 0 shows them.\n", n - shown);
}

int diff_calls(struct diff *d, struct complaint *why)
{
	struct row *row;
	size_t n;

	if (d->options.by_time || d->options.inclusive || d->options.inlined)
		return complain(why, "--time, --inclusive and --inlined have no effect on "
				"durations of calls, whose means are compared");
	row = both_rows(d, &n);
	if (d->repeated)
		test_rows(d, row, n);
	else
		subtract_rows(d, row, n);
	if (n)
		qsort_r(row, n, sizeof(*row), compare_rows, &d->options.sort);
	print_rows(d, row, n);
	free_rows(row, n);
	return 0;
}
