/* gnomon-diff(1): what it prints. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/diff/diff.h"
#include "tools/memory.h"
#include "tools/order.h"

void diff_print_side(const char *letter, const struct diff_side *s)
{
	const struct profdata *p = &s->prof;
	char *loss = profdata_loss(p);

	printf("%s: ", letter);
	profdata_print(p, s->file);
	if (p->calls)
		printf("; without %" PRIu64 " calls in the kernel", p->calls);
	if (s->repeats.n > 1)
		printf("; %zu runs", s->repeats.n);
	else if (s->repeats.same)
		printf("; of %zu runs that are all the same, one", s->repeats.same);
	putchar('\n');
	if (loss)
		printf("   %s\n", loss);
	free(loss);
}

/* Say by which test. With one run on a side, nothing tells how much its runs vary. */
static void print_runs(const struct diff *d)
{
	const char *times = "", *one = "A";

	if (d->timed)
		times = " and times";
	if (d->a.repeats.n > 1)
		one = "B";
	if (d->repeated)
		printf("By Welch's t-test: how much the runs of each side vary counts, whatever "
		       "the reason.\n%s.\nShares%s are the mean of a run.\n", diff_t_meaning,
		       times);
	else if (d->a.repeats.n > 1 || d->b.repeats.n > 1)
		printf("By the chance of sampling alone: %s is one run, which does not tell how "
		       "much runs vary.\nTimes are of one run.\n", one);
}

/* Say what it means that the two are of different kinds. */
static void print_kinds(const struct diff *d)
{
	const char *sum = "B";

	if (d->a.prof.kernel_only)
		sum = "A";
	if (d->summed)
		printf("The two are of different kinds, and %s knows only how much was outside the "
		       "kernel: that is\none row, [outside].\n", sum);
	else if (strcmp(d->a.prof.format, d->b.prof.format) != 0)
		printf("The two are of different kinds: where one knows no address, it cannot "
		       "know the function.\n");
	if (d->level)
		printf("Programs that are %s.\n", d->level);
}

/* Say what is compared with what, for the totals may differ. */
static void print_basis(const struct diff *d)
{
	const char *unit = profdata_unit_name[d->a.prof.unit], *times = ".";

	if (d->timed)
		times = "; times are as they were counted, not scaled.";
	if (d->exact && d->a.prof.period | d->b.prof.period)
		printf("Shares are of each side's %s. They are samples, and how much of a "
		       "difference\nis by chance is not told.\n", unit);
	else if (d->exact)
		printf("Shares are of each side's %s. The counts are exact, not samples: there "
		       "is no\nstandard error. What differs from run to run, as interrupts may, "
		       "differs here too.\n", unit);
	else if (d->test.by_time)
		printf("Tested: times as they were counted, which tells something if both sides "
		       "did the\nsame work. Shares are of each side's %s.\n", unit);
	else
		printf("Tested: shares of each side's %s%s\n", unit, times);
	print_runs(d);
	print_kinds(d);
	if (d->options.inlined)
		printf("Functions that are inlined stand for themselves, in one row with those of "
		       "their name that are not.\n");
}

void diff_print_level(const struct diff *d)
{
	double percent = 100 * d->test.level;

	if (!d->test.few)
		printf("Marked * where z is %.2f or more either way: the probability that chance "
		       "alone marks any of\n%zu functions is %g %% at most.\n", d->test.z, d->n,
		       percent);
	else if (d->test.nsure)
		printf("Marked * where z is %.2f or more either way: %g %% of what is marked "
		       "should be by chance\nalone, at most.\n", d->test.z, percent);
	printf("%s.\n", diff_z_meaning);
}

/* Say how many functions differ, and whether the profiles do as a whole. */
static void print_whole(const struct diff *d)
{
	const struct chance_test *t = &d->test;
	const char *verdict = "chance may explain all of it", *plural = "s";

	if (t->p <= t->level)
		verdict = "they differ by more than chance explains";
	printf("%zu of %zu functions differ by more than chance explains.\n", t->nsure, d->n);
	if (d->options.inclusive)
		return;
	if (d->repeated)
		return;
	if (t->df == 0) {
		printf("As a whole: too few samples, or functions, for a chi-square test.\n");
		return;
	}
	if (t->df == 1)
		plural = "";
	printf("As a whole: chi-square is %.2f with %.0f degree%s of freedom, p = %.3g:\n%s.\n",
	       t->chi2, t->df, plural, t->p, verdict);
}

/* Print the titles of the columns. */
static void print_titles(const struct diff *d)
{
	printf("\n%8s %8s %8s", "A %", "B %", "points");
	if (d->exact) {
		printf(" %21s  function\n", profdata_unit_name[d->a.prof.unit]);
		return;
	}
	printf(" %6s", "+-");
	if (d->timed)
		printf(" %12s %9s", "ms", "+-");
	printf(" %8s    function\n", "z");
}

/* Print differences with their standard errors. */
static void print_samples(const struct diff *d, const struct diff_row *r)
{
	char mark = ' ';

	if (r->chance.sure)
		mark = '*';
	printf(" %6.2f", r->error);
	if (d->timed)
		printf(" %+12.2f %9.2f", r->ms, r->ms_error);
	printf(" %+8.2f %c  ", r->chance.z, mark);
}

/* Print the difference of exact counts. */
static void print_exact(const struct diff_row *r)
{
	static const char *const sign[] = {"-", "", "+"};
	uint64_t a = r->count.a, b = r->count.b;
	char text[24];

	snprintf(text, sizeof(text), "%s%" PRIu64, sign[order(b, a) + 1],
		 order_max(a, b) - order_min(a, b));
	printf(" %21s  ", text);
}

char *diff_name(const struct diff *d, const struct diff_row *r)
{
	const char *module = r->count.module, *colon = ":";

	if (!*module || order_max(d->a.prof.nimage, d->b.prof.nimage) < 2)
		module = colon = "";
	return memory_format("%s%s%s", module, colon, r->count.name);
}

/* Print a function. */
static void print_row(const struct diff *d, const struct diff_row *r)
{
	char *name = diff_name(d, r);

	printf("%8.2f %8.2f %+8.2f", r->share_a, r->share_b, r->points);
	if (d->exact)
		print_exact(r);
	else
		print_samples(d, r);
	puts(name);
	free(name);
}

/* Print the sums where they tell more than that 100 % are 100 %. */
static void print_sums(const struct diff *d)
{
	if (!d->options.by_time && !d->exact)
		return;
	print_row(d, &d->total);
	if (d->busy.count.a != d->total.count.a || d->busy.count.b != d->total.count.b)
		print_row(d, &d->busy);
}

void diff_print(const struct diff *d)
{
	size_t i, n = order_min(d->n, d->options.limit);
	char *verdict = diff_verdict(d);

	puts(verdict);
	free(verdict);
	diff_print_side("A", &d->a);
	diff_print_side("B", &d->b);
	print_basis(d);
	if (!d->exact) {
		diff_print_level(d);
		print_whole(d);
	}
	print_titles(d);
	print_sums(d);
	for (i = 0; i < n; i++)
		print_row(d, &d->row[i]);
	if (n < d->n)
		printf("\n%zu more functions; --limit 0 shows them.\n", d->n - n);
}

void diff_print_folded(struct diff *d)
{
	struct compare_paths p;
	size_t i, j;

	compare_paths(&p, &d->a.functions, &d->b.functions);
	for (i = 0; i < p.n; i++) {
		const struct compare_path *path = &p.path[i];

		for (j = 0; j < path->n; j++) {
			if (j > 0)
				putchar(';');
			fputs(compare_step(&p, path->step[j])->text, stdout);
		}
		printf(" %" PRIu64 " %" PRIu64 "\n", path->a, path->b);
	}
	compare_paths_free(&p);
}
