/* gnomon-diff(1): testing repeated runs, which tell how much they vary: see diff.h. */
#include <math.h>
#include <stdlib.h>
#include "tools/diff/diff.h"
#include "tools/memory.h"

/* What was measured of one thing in the runs of a side. */
struct measured {
	struct repeats_spread share, ms; /* in per cent, and milliseconds */
};

/* Turn the counts of something in the runs of n into shares and times: it has 0 in the others. */
static struct measured runs_measure(const struct diff_side *s, const struct repeats_count *in,
				    size_t n)
{
	size_t all = s->repeats.n, i;
	double *share = memory_zeroed(n, sizeof(*share)), *ms = memory_zeroed(n, sizeof(*ms));
	struct measured m;

	for (i = 0; i < n; i++) {
		const struct profdata *run = &s->repeats.run[in[i].run];

		share[i] = 100 * in[i].count / (double)run->total;
		ms[i] = profdata_ms(run, (uint64_t)in[i].count);
	}
	m = (struct measured){
		.share = repeats_spread(share, n, all), .ms = repeats_spread(ms, n, all),
	};
	free(share);
	free(ms);
	return m;
}

/* Return the standard error of the difference of two means. */
static double error_of(const struct diff *d, const struct repeats_spread *a,
		       const struct repeats_spread *b)
{
	return sqrt(a->variance / (double)d->a.repeats.n + b->variance / (double)d->b.repeats.n);
}

/* Test a row that is the same in all runs of a side, on either side; its errors are by chance. */
static void test_still(const struct diff *d, struct diff_row *row)
{
	struct chance_test alone = d->test;

	if (d->a.prof.unit == PROFDATA_TICKS) {
		chance_test(&alone, &row->chance, 1);
		return;
	}
	row->error = row->ms_error = 0;
	row->chance.p = row->points == 0;
	row->chance.z = 0;
	if (row->points != 0)
		row->chance.z = copysign(chance_z(1e-300), row->points);
}

/* Test a row by what was counted of it in the runs of A and of B. */
static void test_row(const struct diff *d, struct diff_row *row, const struct repeats_row *in_a,
		     const struct repeats_row *in_b)
{
	struct measured a = runs_measure(&d->a, in_a->in, in_a->n);
	struct measured b = runs_measure(&d->b, in_b->in, in_b->n);
	const struct repeats_spread *of_a = &a.share, *of_b = &b.share;
	struct chance_welch w;

	if (d->options.by_time) {
		of_a = &a.ms;
		of_b = &b.ms;
	}
	row->share_a = a.share.mean;
	row->share_b = b.share.mean;
	row->points = row->share_b - row->share_a;
	row->ms = b.ms.mean - a.ms.mean;
	if (of_a->variance + of_b->variance <= 0) {
		test_still(d, row);
		return;
	}
	row->error = error_of(d, &a.share, &b.share);
	row->ms_error = error_of(d, &a.ms, &b.ms);
	w = chance_welch(&(struct chance_sample){d->a.repeats.n, of_a->mean, of_a->variance},
			 &(struct chance_sample){d->b.repeats.n, of_b->mean, of_b->variance});
	row->chance.p = w.p;
	row->chance.z = copysign(chance_z(fmax(w.p, 1e-300)), w.t);
}

/* Count the functions of a run, of which rows do not tell whether they were inlined. */
static void count_run(struct functions *f, const struct diff *d, const struct profdata *run)
{
	size_t i;

	functions_init(f, run, d->options.inlined);
	functions_count(f);
	for (i = 0; i < f->n; i++)
		f->function[i].inlined = false;
}

/* Count the functions of the rows in each run of a side. */
static struct repeats_row *count_side(const struct diff *d, const struct diff_side *s)
{
	struct repeats_row *row = memory_zeroed(d->n, sizeof(*row));
	struct functions f;
	size_t i;

	for (i = 0; i < d->n; i++)
		row[i] = (struct repeats_row){
			.module = d->row[i].count.module, .name = d->row[i].count.name,
		};
	for (i = 0; i < s->repeats.n; i++) {
		count_run(&f, d, &s->repeats.run[i]);
		repeats_counts(row, d->n, i, &f, d->options.inclusive);
		functions_free(&f);
	}
	return row;
}

/* Free the rows of a side. */
static void free_rows(struct repeats_row *row, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		free(row[i].in);
	free(row);
}

void diff_runs_test(struct diff *d)
{
	struct repeats_row *a = count_side(d, &d->a), *b = count_side(d, &d->b);
	struct chance_row *chance = memory_zeroed(d->n, sizeof(*chance));
	size_t i;

	for (i = 0; i < d->n; i++) {
		test_row(d, &d->row[i], &a[i], &b[i]);
		chance[i] = d->row[i].chance;
	}
	chance_mark(&d->test, chance, d->n);
	for (i = 0; i < d->n; i++)
		d->row[i].chance = chance[i];
	free(chance);
	free_rows(a, d->n);
	free_rows(b, d->n);
}

/* Return a row of the totals of a side's runs, with or without idle time. */
static struct repeats_row run_totals(const struct diff_side *s, bool busy)
{
	size_t n = s->repeats.n, i;
	struct repeats_row total = {.in = memory_zeroed(n, sizeof(*total.in)), .n = n};
	const struct profdata *p = s->repeats.run;

	for (i = 0; i < n; i++) {
		total.in[i] = (struct repeats_count){.run = i, .count = (double)p[i].total};
		if (busy)
			total.in[i].count -= (double)p[i].by_mode[PROFDATA_IDLE];
	}
	return total;
}

void diff_runs_sum(const struct diff *d, struct diff_row *row, bool busy)
{
	struct repeats_row a = run_totals(&d->a, busy), b = run_totals(&d->b, busy);

	test_row(d, row, &a, &b);
	free(a.in);
	free(b.in);
}
