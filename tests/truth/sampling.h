/* Samples beside the shares that they should have: how far off they are, and what chance does. */
#ifndef TRUTH_SAMPLING_H
#define TRUTH_SAMPLING_H

#include <stddef.h>
#include <stdint.h>

/* How n samples fell on things of known shares. */
struct sampling {
	double n;
	double distance; /* half the sum of all differences of shares */
	double expected; /* its mean for n independent samples: exact */
	double p;	 /* that n independent samples are as far off, or farther */
	double chi2_p;	 /* Pearson's test: that chi-square is so large, or larger */
	double most;	 /* standard errors that one thing is off, the farthest one's */
	size_t where;	 /* that thing */
	size_t ran;	 /* things that have a share */
};

/* The shares add up to 1, and there is a sample. */
void sampling_compare(struct sampling *s, const uint64_t *samples, const double *share,
		      size_t nthing);

#endif
