/* What chance alone can do to counts of samples: probabilities, and a test of two profiles. */
#ifndef TOOLS_DIFF_CHANCE_H
#define TOOLS_DIFF_CHANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The probability that a standard normal variable is as far from 0 as z, or farther. */
double chance_of_z(double z);

/* The z >= 0 of which that probability is p, 0 < p <= 1; 38 at most. */
double chance_z(double p);

/* The probability that chi-square with df > 0 degrees of freedom is x or more. */
double chance_of_chi2(double x, double df);

/* The standard error of a share p of n samples: sqrt(p (1 - p) / n). */
double chance_error(double p, double n);

/* One thing, a function say, in both profiles. */
struct chance_row {
	uint64_t a, b; /* samples */
	double p;      /* that chance alone makes so large a difference, or a larger one */
	double z;      /* the same in standard deviations, positive where B has more */
	bool sure;     /* larger than chance, by the test's level */
};

/* Two profiles: what is asked, and what came out. */
struct chance_test {
	uint64_t total_a, total_b; /* samples; neither is 0 */
	double us_a, us_b;	   /* of a sample; with by_time only */
	bool by_time; /* compare the rows' times, not their shares of the totals */
	bool few;     /* let that share of what is marked be wrong: Benjamini and Hochberg */
	double level; /* without `few`, the probability that anything is marked wrongly */

	double z; /* rows from here on are sure; with `few`, 0 where none is */
	size_t nsure;
	double chi2, df, p; /* of the whole; df 0: there is too little to tell */
};

/*
 * Test all rows. Each row's p is exact (Fisher's for shares, the binomial one for times, the
 * smaller tail doubled), or the normal approximation where counts are large. chi-square
 * takes rows in which less than 5 samples were to be expected together.
 */
void chance_test(struct chance_test *t, struct chance_row *row, size_t n);

#endif
