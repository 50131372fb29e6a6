/*
 * kprof: how often each 8 bytes of text were found running. cell[cpu][i] counts bucket i of
 * text. The range of the first six buckets is never counted (kpdata's special numbers stand
 * there), so cells 0 and 1 are reused: the ticks left, and the ticks outside of text.
 */
#pragma once

#include "prof/prof_sample.h"

enum { PROF_KPROF_LEFT, PROF_KPROF_OUTSIDE, PROF_KPROF_SPECIAL = 6 };

struct prof_kprof {
	prof_addr first; /* the lowest address that is counted */
	uint32_t size;	/* bytes of text from there on */
	uint32_t nbucket;
	uint32_t share; /* how many ticks one CPU may count */
	unsigned ncpu;
	uint32_t *cell[PROF_CPUS(PROF_HAVE_KPROF)];
	struct prof_pace pace;
};

/*
 * Get ready to count text [lo, hi) on ncpu CPUs. Return false if out of memory, or if there is no
 * such text or number of CPUs.
 */
bool prof_kprof_init(struct prof *p, prof_addr lo, prof_addr hi, unsigned ncpu);

bool prof_kprof_full(const struct prof *p);
size_t prof_kprof_length(const struct prof *p);		     /* of kpdata(5), in bytes */
void prof_kprof_picture(const struct prof *p, uint8_t *out); /* fills in that many */

/*
 * Write the same piece by piece, without a buffer for all of it. Ticks that come meanwhile are not
 * counted. Return 0, or the sink's error.
 */
int prof_kprof_write(struct prof *p, uint32_t bit, const struct prof_sink *to);

/* These are of its row: prof_profilers.h. */
void prof_kprof_clear(struct prof *p, uint32_t bit);
void prof_kprof_period(struct prof *p, uint32_t us);
