/*
 * The forms of gmon.out, which reading, merging and writing it share. All numbers are
 * little-endian; an address, A below, has the 4 or 8 bytes of the machine's. GNU's is that of
 * binutils' gprof (gmon_out.h there), 4.4BSD's is struct gmonhdr of <sys/gmon.h>.
 *
 * GNU's form, gmon(5): a head of 20 bytes, "gmon", version 1 and zeros; then records, each a
 * byte that is its tag, and
 *
 *	GMON_HISTOGRAM	lo, hi (A each), n, rate (4 each), dimension (15), letter (1), bins (2)
 *	GMON_ARC	frompc, selfpc (A each), count (4)
 *	GMON_BLOCKS	n (4), n addresses and n counts of basic blocks (A each)
 *
 * 4.4BSD's form: lo, hi (A each), the bytes of this head and of all bins, version, rate (4 each)
 * and 12 bytes of zeros; the bins (2 each); then arcs up to the end, of frompc, selfpc and count (A
 * each).
 */
#ifndef TOOLS_PROFILE_GMONFILE_H
#define TOOLS_PROFILE_GMONFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "tools/code/addr.h"
#include "tools/complaint.h"

#define GMON_GNU_HEAD 20u
#define GMON_DIMENSION 16u /* "seconds", filled up with zeros, and its letter, "s" */
#define GMON_BSD_VERSION 0x00051879u

enum { GMON_HISTOGRAM, GMON_ARC, GMON_BLOCKS };

/* The sizes of these without their tags; a is the bytes of an address. */
static inline size_t gmonfile_histogram_head(unsigned a)
{
	return 2 * a + 8 + GMON_DIMENSION;
}

static inline size_t gmonfile_arc_size(unsigned a)
{
	return 2 * a + 4;
}

static inline size_t gmonfile_bsd_head(unsigned a)
{
	return 2 * a + 24;
}

/* Whether a file is in GNU's form, by its first n bytes. */
bool gmonfile_is_gnu(const uint8_t *data, size_t n);

/*
 * Return the bytes of an address in a file of n bytes, 4 or 8: where the version is in 4.4BSD's
 * form, or the dimension in GNU's, tells. 0: the file is in neither form.
 */
unsigned gmonfile_width(const uint8_t *data, size_t n);

/* Return the address that begins there, of `a` bytes. */
code_addr gmonfile_address(const uint8_t *at, unsigned a);

/*
 * What is to be written in GNU's form. A bin has 16 bits and an arc 32, so large counts need many
 * records; those that would make the file larger than GMON_MOST are left out, which
 * gmonfile_check() tells.
 */
#define GMON_MOST (1u << 26)
struct gmonfile {
	FILE *to;
	unsigned width; /* bytes of an address */
	uint32_t rate;	/* ticks per second */
	uint64_t size;	/* bytes of all records so far, and of those left out; 0 at first */
};

/* Return 0, or -1 and *why: records were left out. */
int gmonfile_check(const struct gmonfile *f, struct complaint *why);

/* Write GNU's head, which is before all records and tells nothing but the version. */
void gmonfile_head(const struct gmonfile *f);

/* Write a number of n bytes, the least significant first. */
void gmonfile_number(const struct gmonfile *f, uint64_t v, unsigned n);

/*
 * Write one record of a histogram up to its n bins, which the caller writes, 2 bytes each. False:
 * there is no room for it and its bins, and nothing is written.
 */
bool gmonfile_range(struct gmonfile *f, code_addr lo, code_addr hi, uint32_t n,
		    const char dimension[static GMON_DIMENSION]);

/*
 * Write the ticks of n cells, of 4 bytes of text each, from lo on. What does not fit into bins
 * of 16 bits goes into further records, which readers add up.
 */
void gmonfile_ticks(struct gmonfile *f, code_addr lo, const uint32_t *cell, size_t n);

/*
 * Write an arc, in as many records as its count needs if each holds at most `most`: gprof adds them
 * up, but reads a count as a signed number.
 */
void gmonfile_arc(struct gmonfile *f, code_addr from, code_addr self, uint64_t count,
		  uint32_t most);

#endif
