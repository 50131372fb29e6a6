/* gnomon-diff(1): what it found, in a sentence: see diff.h. */
#include <math.h>
#include <stdlib.h>
#include "tools/diff/diff.h"
#include "tools/memory.h"
#include "tools/order.h"

#define BEYOND 3 /* standard errors that are much */

const char diff_z_meaning[] =
	"z is in standard deviations: by chance alone it is beyond 2 once in 22 times, beyond 3 "
	"once in 370";

const char diff_t_meaning[] =
	"z is as improbable as the t of that test, and nearer to 0: with few runs much nearer";

char *diff_percent(double a, double b, const char *more, const char *less)
{
	if (a == b)
		return memory_format("no %s", more);
	if (a <= 0)
		return memory_format("%s than none", more);
	if (b < a)
		return memory_format("%.2f %% %s", 100 * (a - b) / a, less);
	return memory_format("%.2f %% %s", 100 * (b - a) / a, more);
}

/* Return a side's total of one run: milliseconds where they are known, or else counts. */
static double side_amount(const struct diff *d, const struct diff_side *s, uint64_t count)
{
	double amount = (double)count / (double)order_max(s->repeats.n, 1);

	if (d->timed)
		amount *= s->prof.us / 1000;
	return amount;
}

/* Say how much more or less there is in B of what was counted in a row. */
static char *amount_said(const struct diff *d, const struct diff_row *row)
{
	double a = side_amount(d, &d->a, row->count.a), b = side_amount(d, &d->b, row->count.b);
	enum profdata_unit counted = d->a.prof.unit;
	const char *unit = profdata_unit_name[counted], *what = "";
	char *percent, *said;

	if (counted == PROFDATA_MICROSECONDS)
		what = "'s waits";
	if (d->timed) {
		percent = diff_percent(a, b, "more time", "less time");
		said = memory_format("B%s took %s", what, percent);
	} else {
		percent = diff_percent(a, b, "more", "fewer");
		said = memory_format("B has %s %s", percent, unit);
	}
	free(percent);
	return said;
}

/* Return the sum that a person asks about: without idle time, where there is any. */
static const struct diff_row *asked(const struct diff *d)
{
	const struct compare_row *busy = &d->busy.count;

	if (order_min(busy->a, busy->b) == 0)
		return &d->total;
	if (busy->a + busy->b == d->total.count.a + d->total.count.b)
		return &d->total;
	return &d->busy;
}

/* Tell what the test of times found of everything together. */
static char *verdict_time(const struct diff *d)
{
	const struct diff_row *row = asked(d);
	const char *without = "";
	char *amount = amount_said(d, row), *said;

	if (row == &d->busy)
		without = " without idle time";
	if (row->chance.sure)
		said = memory_format("%s%s: more than chance can explain (z = %+.2f).", amount,
				     without, row->chance.z);
	else if (d->test.nsure)
		said = memory_format("%s%s, which chance can explain (z = %+.2f); but %zu of %zu "
				     "functions differ by more.", amount, without, row->chance.z,
				     d->test.nsure, d->n);
	else
		said = memory_format("%s%s, which chance can explain (z = %+.2f).", amount, without,
				     row->chance.z);
	free(amount);
	return said;
}

/* Return whether a row comes before another one: it is the surer, or else the larger difference. */
static bool is_surer(const struct diff_row *r, const struct diff_row *other)
{
	double z = fabs(r->chance.z), than = fabs(other->chance.z);

	if (z != than)
		return z > than;
	return fabs(r->points) > fabs(other->points);
}

/* Return the row whose difference is the surest; there is one. */
static const struct diff_row *surest(const struct diff *d)
{
	const struct diff_row *best = d->row;
	size_t i;

	for (i = 1; i < d->n; i++)
		if (is_surer(&d->row[i], best))
			best = &d->row[i];
	return best;
}

/* Return whether shares differ, by the functions or as a whole. */
static bool shares_differ(const struct diff *d)
{
	const struct chance_test *t = &d->test;

	if (t->nsure)
		return true;
	if (d->options.inclusive)
		return false;
	return t->df > 0 && t->p <= t->level;
}

/* Tell what the test of shares found. */
static char *shares_said(const struct diff *d)
{
	const struct chance_test *t = &d->test;
	const struct diff_row *row;
	char *name, *said;

	if (t->nsure) {
		row = surest(d);
		name = diff_name(d, row);
		said = memory_format("More than chance can explain: %s is %.2f %% of A, %.2f %% of "
				     "B (z = %+.2f).", name, row->share_a, row->share_b,
				     row->chance.z);
		free(name);
		return said;
	}
	if (shares_differ(d))
		return memory_format("The shares differ by more than chance can explain, but no "
				     "one function's does.");
	return memory_format("Chance can explain every difference of shares.");
}

/* Return whether one side took so much longer that nobody should read of shares first. */
static bool time_differs(const struct diff *d)
{
	if (!d->timed)
		return false;
	return fabs(d->total.ms) > BEYOND * d->total.ms_error;
}

/* Add to that how much there was in all, which is not tested: the runs may have done other work. */
static char *verdict_shares(const struct diff *d)
{
	char *shares = shares_said(d), *amount, *said;
	const char *hint = "";

	if (d->a.prof.unit == PROFDATA_TICKS && !d->timed)
		return shares;
	if (d->timed)
		hint = ", which --time tests";
	amount = amount_said(d, &d->total);
	if (time_differs(d) && !shares_differ(d))
		said = memory_format("%s in all%s.\n%s", amount, hint, shares);
	else
		said = memory_format("%s\n%s in all%s.", shares, amount, hint);
	free(shares);
	free(amount);
	return said;
}

char *diff_verdict(const struct diff *d)
{
	const char *how = "by exact counts";
	char *amount, *said;

	if (!d->exact && d->options.by_time)
		return verdict_time(d);
	if (!d->exact)
		return verdict_shares(d);
	if (d->a.prof.period | d->b.prof.period)
		how = "by samples; how much of that is by chance is not known";
	amount = amount_said(d, &d->total);
	said = memory_format("%s %s.", amount, how);
	free(amount);
	return said;
}
