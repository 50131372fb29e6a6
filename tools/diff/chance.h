/*
 * How far chance alone makes counts of samples differ: probabilities, and a test of two. It holds
 * where samples are independent of each other, as those of a clock are that is in step with nothing
 * in the program. Nothing here knows functions or files.
 */
#ifndef TOOLS_DIFF_CHANCE_H
#define TOOLS_DIFF_CHANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Return the probability that a standard normal variable is as far from 0 as z, or farther. */
double chance_of_z(double z);

/* Return the z >= 0 that has that probability p, 0 < p <= 1; 38 at most. */
double chance_z(double p);

/* Return the probability that chi-square with df > 0 degrees of freedom is x or more. */
double chance_of_chi2(double x, double df);

/*
 * Return the probability that Student's t with df > 0 degrees of freedom, which need not be whole,
 * is as far from 0 as t, or farther.
 */
double chance_of_t(double t, double df);

/* Some measurements of one thing: how many, their mean, and their variance by n - 1. */
struct chance_sample {
	double n, mean, variance;
};

/* Welch's test of two means whose variances need not be alike. */
struct chance_welch {
	double t, df, p; /* as in chance_of_t(); t is positive if B's mean is larger */
	double error;	 /* the standard error of the difference */
};

/* Test two samples of at least two each, of which one varies. */
struct chance_welch chance_welch(const struct chance_sample *a, const struct chance_sample *b);

/* Return the standard error of a share p of n samples: sqrt(p (1 - p) / n). */
double chance_error(double p, double n);

/* One thing, such as a function, in both profiles. */
struct chance_row {
	uint64_t a, b; /* samples */
	double p;      /* the probability that chance alone makes them differ as much, or more */
	double z;      /* the same in standard deviations, positive where B has more */
	bool sure;     /* the difference is larger than chance, by the test's level */
};

/* A test of two profiles: its settings, and, from `z` on, its results. */
struct chance_test {
	uint64_t total_a, total_b; /* samples; neither is 0 */
	double us_a, us_b;	   /* microseconds of a sample; for by_time only */
	bool by_time; /* compare the rows' times, not their shares of the totals */
	bool few;     /* bound the share of sure rows that are wrong, not the chance of any */
	double level; /* that bound */

	double z; /* rows with |z| of at least this are sure; 0 (only with few): none */
	size_t nsure;
	double chi2, df, p; /* of all rows together; df 0: there are too few samples to tell */
};

/*
 * Test all rows. Each row's p is exact (Fisher's test for shares, the binomial one for times,
 * the smaller tail doubled), or the normal approximation if counts are large. For chi-square,
 * rows in which fewer than 5 samples were to be expected are added up into one.
 */
void chance_test(struct chance_test *t, struct chance_row *row, size_t n);

/* Do of that only the last step, where the rows' p and z are known: which are sure. */
void chance_mark(struct chance_test *t, struct chance_row *row, size_t n);

#endif
