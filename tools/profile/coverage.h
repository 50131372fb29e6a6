/*
 * The counts of an image by address, and which of its instructions ran. That is exact only where
 * instructions were counted; with ticks it tells which were met, and with gmon.out's buckets a
 * count is given to an instruction that need not be the one.
 */
#ifndef TOOLS_PROFILE_COVERAGE_H
#define TOOLS_PROFILE_COVERAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/code/symbols.h"
#include "tools/profile/profdata.h"

/*
 * What was counted in `span` bytes of text from pc on: 1 for a single instruction. Below `end` are
 * the instructions that a bucket's count may be of, also after it was given to one of
 * them; `from` is where it was counted.
 */
struct count_at {
	code_addr pc, end, from;
	uint32_t span;
	uint64_t count;
};

/* The counts of one image, by ascending address. */
struct counts {
	struct count_at *at;
	size_t n;
};

/*
 * Take the counts of one image by the innermost frame, those of one address added up, and
 * settle them: coverage_settle(). The caller frees `at`.
 */
struct counts coverage_counts(const struct profdata *p, uint32_t image);

/* The counts of every image, by its number; coverage_free() frees them. */
struct counts *coverage_all(const struct profdata *p);
void coverage_free(const struct profdata *p, struct counts *all);

/* The first count at or after pc: its index, or n. */
size_t coverage_find(const struct counts *c, code_addr pc);

/*
 * Move the counts of buckets to single instructions of an image: to the first that begins in
 * the bucket, or else to the one that covers it. Those of text that cannot be read stay.
 */
void coverage_settle(struct image *elf, struct counts *c);

/* Return whether a count is of a bucket that also has an instruction of another line. */
bool coverage_shared(struct image *elf, const struct count_at *at);

/* How many instructions there are in some text but for padding, and how many have a count. */
struct coverage {
	size_t instructions, run;
};

/* Return that of a function of an image with these counts; all 0: there is no code. */
struct coverage coverage_of(struct image *elf, const struct counts *c,
			    const struct symbol *symbol);

/*
 * Return the next function that has counts, from number *at of them on, which it moves past these;
 * NULL: no more. Very many images may have one file and few counts each: only these are looked at.
 */
const struct symbol *coverage_next(const struct image *elf, const struct counts *c, size_t *at);

/* Return that of all functions of an image. */
struct coverage coverage_of_all(struct image *elf, const struct counts *c);

/*
 * Return the names of functions of which nothing ran, in order of address, and how many more there
 * are. The caller frees them. NULL: there is none, or these are counts of a kernel, where only
 * calls are counted, and not of each function.
 */
char *coverage_not_run(const struct image *elf, const struct counts *c);

#endif
