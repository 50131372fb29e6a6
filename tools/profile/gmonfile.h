/*
 * The forms of gmon.out, which reading and merging it share. All numbers are little-endian.
 *
 * GNU's form, gmon(5): a head of 20 bytes, "gmon", version 1 and zeros; then records, each a
 * byte that is its tag, and
 *
 *	GMON_HISTOGRAM	lo, hi, n, rate (4 bytes each), dimension (15), letter (1), n bins (2 each)
 *	GMON_ARC	frompc, selfpc, count (4 each)
 *	GMON_BLOCKS	n (4), n addresses and n counts of basic blocks (4 each)
 *
 * 4.4BSD's form: a head of 32 bytes, lo, hi, 32 + the bytes of all bins, version, rate (4 each)
 * and zeros; the bins (2 each); then arcs up to the end.
 */
#ifndef TOOLS_PROFILE_GMONFILE_H
#define TOOLS_PROFILE_GMONFILE_H

#define GMON_GNU_HEAD 20
#define GMON_BSD_HEAD 32
#define GMON_BSD_VERSION 0x00051879u
#define GMON_HISTOGRAM_HEAD 32
#define GMON_ARC_SIZE 12

enum { GMON_HISTOGRAM, GMON_ARC, GMON_BLOCKS };

#endif
