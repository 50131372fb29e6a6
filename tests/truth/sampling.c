/* Samples compared with the shares that they should have: see sampling.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tools/diff/chance.h"
#include "tools/memory.h"
#include "tests/truth/sampling.h"

#define FARTHER 20	/* of sets drawn by chance: enough to know their part */
#define SETS 20000	/* are drawn at most */
#define HOPELESS 1e-6	/* so small a p is not drawn for */
#define EXPECTED 5.0	/* chi-square takes things together that have fewer samples */
#define MOST 38.0	/* standard errors, of what cannot be */

/* Return the logarithm of the probability of k out of n samples, each with probability p. */
static double log_binomial(double k, double n, double p)
{
	return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(p) +
	       (n - k) * log1p(-p);
}

/* Return the mean of |k - n p|, by de Moivre's formula. */
static double mean_deviation(double n, double p)
{
	double m = floor(n * p) + 1;

	if (p <= 0 || p >= 1)
		return 0;
	return 2 * m * (1 - p) * exp(log_binomial(m, n, p));
}

/* Return how many standard errors k is from n p, by the probability of that or more. */
static double deviation(double k, double n, double p)
{
	double mean = n * p, variance = mean * (1 - p), sum = 0, term = 1, i = k;

	if (p <= 0)
		return k > 0 ? MOST : 0;
	if (variance > 1000 || p >= 1)
		return variance > 0 ? (k - mean) / sqrt(variance) : 0;
	while (term > sum * 1e-12) {
		sum += term;
		if (k > mean)
			term *= i < n ? (n - i) / (i + 1) * p / (1 - p) : 0;
		else
			term *= i > 0 ? i / (n - i + 1) * (1 - p) / p : 0;
		i += k > mean ? 1 : -1;
	}
	sum = fmin(1, 2 * sum * exp(log_binomial(k, n, p)));
	return copysign(sum > 1e-300 ? chance_z(sum) : MOST, k - mean);
}

static double distance(const uint64_t *samples, const double *share, size_t nthing, double n)
{
	double d = 0;
	size_t i;

	for (i = 0; i < nthing; i++)
		d += fabs((double)samples[i] / n - share[i]);
	return d / 2;
}

/* Return the first thing up to which the shares sum to more than u, or else the last. */
static size_t thing_at(const double *below, size_t nthing, double u)
{
	size_t lo = 0, hi = nthing - 1, middle;

	while (lo < hi) {
		middle = (lo + hi) / 2;
		if (u < below[middle])
			hi = middle;
		else
			lo = middle + 1;
	}
	return lo;
}

/*
 * Return which part of random sets of n samples is as far off or farther. Sets are drawn until
 * enough of them are (Besag and Clifford's sequential test). One sample changes a distance by
 * 1/n at most, which bounds the part that is much above the mean (McDiarmid's inequality): if
 * that bound is next to nothing, it is returned.
 */
static double part_farther(const struct sampling *s, const double *share, size_t nthing)
{
	double above = fmax(0, s->distance - s->expected), bound = exp(-2 * s->n * above * above);
	uint64_t *samples = memory_zeroed(nthing, sizeof(*samples));
	double *below = memory_zeroed(nthing, sizeof(*below)), sum = 0, k;
	unsigned set = 0, farther = 0;
	size_t i;

	for (i = 0; i < nthing; i++)
		below[i] = sum += share[i];
	srand48(1);
	while (bound >= HOPELESS && set < SETS && farther < FARTHER) {
		memset(samples, 0, nthing * sizeof(*samples));
		for (k = 0; k < s->n; k++)
			samples[thing_at(below, nthing, drand48() * sum)]++;
		farther += distance(samples, share, nthing, s->n) >= s->distance;
		set++;
	}
	free(samples);
	free(below);
	if (bound < HOPELESS)
		return bound;
	return farther == FARTHER ? farther / (double)set : (farther + 1.0) / (set + 1.0);
}

/* Return the probability of such a chi-square or a larger one: Pearson's test. */
static double chi_square(const uint64_t *samples, const double *share, size_t nthing, double n)
{
	double few = 0, few_samples = 0, chi2 = 0, df = -1, e;
	size_t i;

	for (i = 0; i < nthing; i++) {
		e = share[i] * n;
		if (e < EXPECTED) {
			few += e;
			few_samples += (double)samples[i];
			continue;
		}
		chi2 += ((double)samples[i] - e) * ((double)samples[i] - e) / e;
		df++;
	}
	if (few >= EXPECTED) {
		chi2 += (few_samples - few) * (few_samples - few) / few;
		df++;
	}
	return df > 0 ? chance_of_chi2(chi2, df) : 1;
}

void sampling_compare(struct sampling *s, const uint64_t *samples, const double *share,
		      size_t nthing)
{
	double z;
	size_t i;

	*s = (struct sampling){0};
	for (i = 0; i < nthing; i++)
		s->n += (double)samples[i];
	for (i = 0; i < nthing; i++) {
		s->ran += share[i] > 0;
		s->expected += mean_deviation(s->n, share[i]) / s->n / 2;
		z = deviation((double)samples[i], s->n, share[i]);
		if (fabs(z) > fabs(s->most)) {
			s->most = z;
			s->where = i;
		}
	}
	s->distance = distance(samples, share, nthing, s->n);
	s->p = part_farther(s, share, nthing);
	s->chi2_p = chi_square(samples, share, nthing, s->n);
}
