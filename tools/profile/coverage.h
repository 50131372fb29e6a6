/* Which instructions of an image ran, by a profile of coverage. */
#ifndef TOOLS_PROFILE_COVERAGE_H
#define TOOLS_PROFILE_COVERAGE_H

#include <stddef.h>
#include <stdint.h>
#include "tools/profile/profdata.h"

/* Counts by address: exact ones of single instructions, or of buckets. */
struct count_at {
	uint32_t pc, span;
	uint64_t count;
};

/*
 * The counts of one image by the innermost frame, ascending, those of one address added up.
 * *n of them, which the caller frees.
 */
struct count_at *coverage_counts(const struct profdata *p, uint32_t image, size_t *n);

/* The first of n that is at or behind pc: its index, or n. */
size_t coverage_find(const struct count_at *at, size_t n, uint32_t pc);

/*
 * Move the counts of buckets to single instructions of an image: to the first that begins in
 * the bucket, or else to the one that covers it. Those of text that cannot be read stay.
 */
void coverage_settle(const struct image *elf, struct count_at *at, size_t n);

/* How many instructions there are, and how many of them have a count. */
struct coverage {
	size_t instructions, run;
};

/* Of the text [lo, hi) of an image whose counts are given; all 0 where there is no code. */
struct coverage coverage_of(const struct image *elf, const struct count_at *at, size_t n,
			    uint32_t lo, uint32_t hi);

#endif
