/* gnomon-report(1): how much shares vary between repeated runs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/report/report.h"

/* A row of a function of the report. */
struct varied {
	struct repeats_row row;
	uint32_t function;
};

/* For qsort: as repeats_compare() has it. */
static int compare_varied(const void *a, const void *b)
{
	return repeats_compare(&((const struct varied *)a)->row, &((const struct varied *)b)->row);
}

/* Make a row for each function, ascending. */
static struct varied *make_rows(const struct report *r)
{
	size_t n = r->functions.n, i;
	struct varied *row = memory_zeroed(n, sizeof(*row));

	for (i = 0; i < n; i++) {
		const struct function *f = &r->functions.function[i];

		row[i].row = (struct repeats_row){
			.module = profdata_image_name(&r->prof, f->image), .name = f->name,
			.inlined = f->inlined,
		};
		row[i].function = i;
	}
	qsort(row, n, sizeof(*row), compare_varied);
	return row;
}

/* Fill the rows with a run's counts after filtering; the patterns may leave none of a run. */
static void count_run(struct report *r, struct repeats_row *row, size_t run, bool all)
{
	struct profdata *p = &r->repeats.run[run];
	struct complaint none;
	struct functions f;

	functions_init(&f, p, r->options.inlined);
	if (sieve_given(&r->options.sieve))
		sieve_apply(&r->options.sieve, p, &f, &none);
	functions_count(&f);
	repeats_counts(row, r->functions.n, run, &f, all);
	functions_free(&f);
}

/* Return the standard error of a row's share; NAN: another function has the same name. */
static double error_of(const struct report *r, const struct varied *row, size_t i)
{
	size_t n = r->repeats.n, k;
	const struct repeats_row *of = &row[i].row;
	double *share, variance;

	if (i > 0 && compare_varied(&row[i - 1], &row[i]) == 0)
		return NAN;
	if (i + 1 < r->functions.n && compare_varied(&row[i], &row[i + 1]) == 0)
		return NAN;
	share = memory_zeroed(of->n, sizeof(*share));
	for (k = 0; k < of->n; k++)
		share[k] = 100 * of->in[k].count / (double)r->repeats.run[of->in[k].run].total;
	variance = repeats_spread(share, of->n, n).variance;
	free(share);
	return sqrt(variance / (double)n);
}

double *report_errors(struct report *r, bool all)
{
	size_t n = r->functions.n, i;
	double *error;
	struct varied *row;
	struct repeats_row *plain;

	if (r->repeats.n < 2)
		return NULL;
	error = memory_zeroed(n, sizeof(*error));
	row = make_rows(r);
	plain = memory_zeroed(n, sizeof(*plain));
	for (i = 0; i < n; i++)
		plain[i] = row[i].row;
	for (i = 0; i < r->repeats.n; i++)
		count_run(r, plain, i, all);
	for (i = 0; i < n; i++)
		row[i].row = plain[i];
	for (i = 0; i < n; i++)
		error[row[i].function] = error_of(r, row, i);
	for (i = 0; i < n; i++)
		free(plain[i].in);
	free(plain);
	free(row);
	return error;
}
