/* Samples compared with the shares they should have: how far off, and how far chance puts them. */
#ifndef TRUTH_SAMPLING_H
#define TRUTH_SAMPLING_H

#include <stddef.h>
#include <stdint.h>

/* How n samples were distributed over things of known shares. */
struct sampling {
	double n;
	double distance; /* half the sum of all differences of shares */
	double expected; /* its mean for n independent samples: exact */
	double p;	 /* the probability of this distance or a larger one */
	double chi2_p;	 /* the same of chi-square: Pearson's test */
	double most;	 /* by how many standard errors the worst thing is off */
	size_t where;	 /* that thing */
	size_t ran;	 /* things that have a share */
};

/* The shares must add up to 1, and there must be a sample. */
void sampling_compare(struct sampling *s, const uint64_t *samples, const double *share,
		      size_t nthing);

#endif
