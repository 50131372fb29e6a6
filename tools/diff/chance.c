/* How far chance alone makes counts of samples differ: see chance.h. */
#include <math.h>
#include <stdlib.h>
#include "tools/diff/chance.h"
#include "tools/memory.h"
#include "tools/order.h"

#define Z_MAX 38.0	   /* beyond, a double has no such small probability */
#define EXACT_ROW 1000000u /* samples of a row up to which its p is exact: it takes time */
#define EXACT_TOTAL 1e10   /* samples of all rows up to which: lgamma() has no more digits */
#define EXPECTED 5.0	   /* samples that a cell of the chi-square test should have */

double chance_of_z(double z)
{
	return erfc(fabs(z) / M_SQRT2);
}

/* By halving: 60 steps settle every digit of a double. */
double chance_z(double p)
{
	double lo = 0, hi = Z_MAX, mid;
	int i;

	for (i = 0; i < 60; i++) {
		mid = (lo + hi) / 2;
		if (chance_of_z(mid) > p)
			lo = mid;
		else
			hi = mid;
	}
	return hi;
}

/* Return the lower incomplete gamma function, regularised, by its series; for x < s + 1. */
static double gamma_series(double s, double x)
{
	double term = 1 / s, sum = term, i;

	for (i = 1; term > sum * 1e-16; i++) {
		term *= x / (s + i);
		sum += term;
	}
	return sum * exp(s * log(x) - x - lgamma(s));
}

/* Return the upper one by its continued fraction, with Lentz's method; for x > s + 1. */
static double gamma_fraction(double s, double x)
{
	double b = x + 1 - s, c = 1e300, d = 1 / b, f = d, step = 0, i;

	for (i = 1; fabs(step - 1) > 1e-15 && i < 100000; i++) {
		double a = i * (s - i);

		b += 2;
		d = 1 / (a * d + b);
		c = b + a / c;
		step = c * d;
		f *= step;
	}
	return f * exp(s * log(x) - x - lgamma(s));
}

double chance_of_chi2(double x, double df)
{
	double s = df / 2;

	x /= 2;
	if (x <= 0)
		return 1;
	if (x < s + 1)
		return 1 - gamma_series(s, x);
	return gamma_fraction(s, x);
}

/* Return the i-th coefficient of the continued fraction below: Abramowitz and Stegun, 26.5.8. */
static double beta_coefficient(double x, double a, double b, unsigned i)
{
	double m = i / 2;

	if (i % 2 == 0)
		return m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
	return -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
}

/*
 * Return the incomplete beta function, regularised, by its continued fraction, with Lentz's method;
 * for x < (a + 1) / (a + b + 2).
 */
static double beta_fraction(double x, double a, double b)
{
	double c = 1, d = 0, f = 1, step = 0, k;
	unsigned i;

	for (i = 1; fabs(step - 1) > 1e-15 && i < 100000; i++) {
		k = beta_coefficient(x, a, b, i);
		d = 1 / (1 + k * d);
		c = 1 + k / c;
		step = c * d;
		f *= step;
	}
	return exp(a * log(x) + b * log1p(-x) + lgamma(a + b) - lgamma(a) - lgamma(b)) / (a * f);
}

/* It is I(x; df / 2, 1 / 2) with x = df / (df + t^2), Abramowitz and Stegun 26.7.1. */
double chance_of_t(double t, double df)
{
	double a = df / 2, x = df / (df + t * t), y = t * t / (df + t * t);

	if (y == 0)
		return 1;
	if (x < (a + 1) / (a + 2.5))
		return beta_fraction(x, a, 0.5);
	return 1 - beta_fraction(y, 0.5, a);
}

/* Degrees of freedom are Satterthwaite's. */
struct chance_welch chance_welch(const struct chance_sample *a, const struct chance_sample *b)
{
	double va = a->variance / a->n, vb = b->variance / b->n, v = va + vb;
	struct chance_welch w = {.error = sqrt(v)};

	w.t = (b->mean - a->mean) / w.error;
	w.df = v * v / (va * va / (a->n - 1) + vb * vb / (b->n - 1));
	w.p = chance_of_t(w.t, w.df);
	return w;
}

double chance_error(double p, double n)
{
	if (n <= 0)
		return 0;
	return sqrt(p * (1 - p) / n);
}

/* Return the logarithm of n over k. */
static double log_choose(double n, double k)
{
	return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

/* Return B's share of all samples, or of all time: what a row's share is compared with. */
static double part_of_b(const struct chance_test *t)
{
	if (t->by_time)
		return t->us_a / (t->us_a + t->us_b);
	return t->total_b / ((double)t->total_a + t->total_b);
}

/* Return the logarithm of the probability that k of a row's m samples are B's. */
static double log_term(const struct chance_test *t, double m, double k)
{
	double q = part_of_b(t), a = t->total_a, b = t->total_b;

	if (t->by_time)
		return log_choose(m, k) + k * log(q) + (m - k) * log(1 - q);
	return log_choose(b, k) + log_choose(a, m - k) - log_choose(a + b, m);
}

/* Return how many times more probable k + 1 is than k. */
static double term_ratio(const struct chance_test *t, double m, double k)
{
	double q = part_of_b(t);

	if (t->by_time)
		return (m - k) / (k + 1) * q / (1 - q);
	return (m - k) / (k + 1) * (t->total_b - k) / (t->total_a - m + k + 1);
}

/*
 * Return the probability of what was counted, or of anything farther from the mean on the same
 * side, doubled. With the sum of a row's samples in both profiles given, those of B have the
 * hypergeometric distribution if shares are alike, the binomial one if times are. Terms fall
 * away from the mean, so few of them are summed up, relative to the first one.
 */
static double exact_p(const struct chance_test *t, const struct chance_row *row)
{
	double m = (double)row->a + row->b, k = row->b, term = 1, sum = 0;
	bool up = k > m * part_of_b(t);

	while (term > sum * 1e-17) {
		sum += term;
		if (up)
			term *= term_ratio(t, m, k++);
		else if (k > 0)
			term /= term_ratio(t, m, --k);
		else
			break;
	}
	return fmin(1, 2 * sum * exp(log_term(t, m, row->b)));
}

/*
 * Return the difference in units of the standard deviation that it would have by chance. The
 * same two distributions are nearly normal if counts are large.
 */
static double standardised(const struct chance_test *t, const struct chance_row *row)
{
	double m = (double)row->a + row->b, q = part_of_b(t);
	double all = (double)t->total_a + t->total_b;
	double variance = m * q * (1 - q);

	if (!t->by_time)
		variance *= 1 - m / all;
	if (variance <= 0)
		return 0;
	return (row->b - m * q) / sqrt(variance);
}

/* Test one row. */
static void test_row(const struct chance_test *t, struct chance_row *row)
{
	double all = (double)t->total_a + t->total_b;

	row->z = standardised(t, row);
	row->p = chance_of_z(row->z);
	if ((double)row->a + row->b > EXACT_ROW || all > EXACT_TOTAL)
		return;
	row->p = exact_p(t, row);
	/* z follows p: if counts are small only p is right, if they are large both agree */
	if (row->p == 1)
		row->z = 0;
	else if (row->p > 1e-300)
		row->z = copysign(chance_z(row->p), row->z);
}

/* For qsort: ascending. */
static int compare_p(const void *a, const void *b)
{
	return order_real(*(const double *)a, *(const double *)b);
}

/*
 * Return the greatest p that is sure; negative: none is. With n rows, chance has n attempts.
 * Either each row gets an n-th of the level, whatever else is found (Bonferroni); or of the i
 * most improbable rows, no more than the level's share may be by chance (Benjamini, Hochberg).
 */
static double greatest_sure_p(const struct chance_test *t, const struct chance_row *row, size_t n)
{
	double *p, found = -1;
	size_t i;

	if (!t->few)
		return t->level / n;
	p = memory_zeroed(n, sizeof(*p));
	for (i = 0; i < n; i++)
		p[i] = row[i].p;
	qsort(p, n, sizeof(*p), compare_p);
	for (i = n; i > 0 && found < 0; i--)
		if (p[i - 1] <= t->level * i / n)
			found = p[i - 1];
	free(p);
	return found;
}

/* Add a pair of counts to chi-square: how far both are from what was expected. */
static void add_cell(struct chance_test *t, double a, double b)
{
	double q = part_of_b(t), expected_a = (a + b) * (1 - q), expected_b = (a + b) * q;

	t->chi2 += (a - expected_a) * (a - expected_a) / expected_a +
		   (b - expected_b) * (b - expected_b) / expected_b;
	t->df++;
}

/* Test all rows together. Shares add up to 1, which takes away one degree of freedom. */
static void test_whole(struct chance_test *t, const struct chance_row *row, size_t n)
{
	double least = EXPECTED / fmin(part_of_b(t), 1 - part_of_b(t)), a = 0, b = 0;
	size_t i;

	t->chi2 = t->df = 0;
	for (i = 0; i < n; i++) {
		if ((double)row[i].a + row[i].b >= least) {
			add_cell(t, row[i].a, row[i].b);
		} else {
			a += row[i].a;
			b += row[i].b;
		}
	}
	if (a + b >= least)
		add_cell(t, a, b);
	if (!t->by_time && t->df > 0)
		t->df--;
	t->p = 1;
	if (t->df > 0)
		t->p = chance_of_chi2(t->chi2, t->df);
}

void chance_mark(struct chance_test *t, struct chance_row *row, size_t n)
{
	double most = -1;
	size_t i;

	if (n > 0)
		most = greatest_sure_p(t, row, n);
	t->z = 0;
	if (most >= 0)
		t->z = chance_z(most);
	t->nsure = 0;
	for (i = 0; i < n; i++) {
		row[i].sure = row[i].p <= most;
		t->nsure += row[i].sure;
	}
}

void chance_test(struct chance_test *t, struct chance_row *row, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		test_row(t, &row[i]);
	chance_mark(t, row, n);
	test_whole(t, row, n);
}
