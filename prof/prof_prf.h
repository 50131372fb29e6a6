/*
 * prf: how often the kernel was found at each of a list of addresses or after it, up to the
 * next. There is a profiler for each CPU and one for all of them, which load and run independently.
 * `which` is a CPU's number, or PROF_PRF_EVERY for the latter. prf(7) has the whole of it.
 */
#pragma once

#include "prof/prof_sample.h"

#define PROF_PRF_EVERY PROF_MAXCPU /* the profiler of all CPUs; others are their CPU's number */

/*
 * The counters that follow those of the addresses. PROF_PRF_BELOW, which is not shown, is for text
 * below the first address.
 */
enum { PROF_PRF_IN_USER, PROF_PRF_IN_IDLE, PROF_PRF_BELOW, PROF_PRF_OTHERS };

/* What is loaded into a profiler: prof_prf.c makes and frees it as a whole. */
struct prof_prf_table {
	uint32_t n;		      /* number of addresses */
	prof_addr first, range;	      /* the first, and the bytes from there to the last */
	uint32_t slots, shift;	      /* slot s begins at first + (s << shift) */
	const prof_addr *addr;	      /* n, ascending */
	const uint16_t *slot;	      /* slots + 1; each: the last address not above its start */
	uint32_t *count[PROF_MAXCPU]; /* n + 3 each; NULL: not profiled */
};

/* One CPU's part: only its own ticks change what is not atomic. */
struct prof_prf_cpu {
	const struct prof_prf_table *on[2]; /* atomic: its own profiler's and all CPUs', or NULL */
	uint32_t *cell[2]; /* this CPU's counters of each */
	struct prof_beat beat;
	uint32_t pad; /* to a power of two: a shift finds a CPU's */
};

struct prof_prf {
	unsigned ncpu;
	struct {
		struct prof_prf_table *table; /* NULL: not loaded */
		bool on;
	} of[PROF_CPUS(PROF_HAVE_PRF) + 1];
	struct prof_prf_cpu cpu[PROF_CPUS(PROF_HAVE_PRF)];
};

bool prof_prf_init(struct prof *p, unsigned ncpu); /* returns false if ncpu is out of range */

enum prof_prf_error {
	PROF_PRF_OK, PROF_PRF_EBUSY, PROF_PRF_ENOSPC, PROF_PRF_E2BIG, PROF_PRF_EINVAL,
	PROF_PRF_ENOMEM
};

/*
 * Load the addresses in size bytes at addr, and zero the counters. Errors leave the profiler
 * as it was, except PROF_PRF_EINVAL, for addresses that do not ascend: then nothing is loaded.
 */
enum prof_prf_error prof_prf_load(struct prof *p, unsigned which, const prof_addr *addr,
				  size_t size);
void prof_prf_start(struct prof *p, unsigned which); /* no effect when not loaded */
void prof_prf_stop(struct prof *p, unsigned which);  /* its counters change no more */
bool prof_prf_on(const struct prof *p, unsigned which);
uint32_t prof_prf_size(const struct prof *p, unsigned which); /* in addresses; 0 if not loaded */

/* Return word i of a read: prof_prf_size() addresses, then as many counters and 2 more. */
prof_addr prof_prf_word(const struct prof *p, unsigned which, uint32_t i);

/* Return which counter pc has: that of the largest address not above it, or n + PROF_PRF_BELOW. */
uint32_t prof_prf_find(const struct prof_prf_table *t, prof_addr pc);

/* Count a tick with which a sample is due. Only this CPU's counters change. */
void prof_prf_count(struct prof_prf_cpu *c, prof_addr pc, enum prof_cause what);
