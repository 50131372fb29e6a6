/* How many of the profiling clock's ticks a profile has, and how many were lost. */
#ifndef USERLAND_PROFILE_LOSS_H
#define USERLAND_PROFILE_LOSS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOSS_MAXCPU 64
#define LOSS_LINE 256 /* bytes of loss_line()'s text at most */

/* Ticks that came, and ticks that were due and never came. */
struct loss_ticks {
	uint64_t taken, lost;
};

/* What kpinfo, kprof(3), says of a profiler, or kpstack(5) of its paths. */
struct loss {
	char clock[8], delivery[8]; /* "pit", "nmi" */
	uint32_t hz, period_us, ncpu;
	uint64_t start; /* a number that this start of the kernel has */
	uint64_t elapsed_us;
	struct loss_ticks all, cpu[LOSS_MAXCPU];
};

/*
 * Take what a text has of a profiler: "kprof", "gmon", "any", or NULL for the first line that tells
 * of the clock. Return false, and all zeros, if there is none.
 */
bool loss_parse(struct loss *l, const char *text, const char *profiler);

/* The same of /dev/kpinfo as it is now; false also if it cannot be read. */
bool loss_read(struct loss *l, const char *profiler);

/* Subtract what there was before; of a clock that was zeroed meanwhile, all is new. */
void loss_since(struct loss *l, const struct loss *before);

/* Return how many in a thousand were lost of what was due; 0 if that is not more than ten. */
unsigned loss_permille(const struct loss *l);

/* Return what can be done about it, to follow "fewer are lost ". */
const char *loss_remedy(const struct loss *l);

/*
 * Write a line with both, and its newline, or "" if not more than 1 % was lost. `what` is measured
 * in ticks: "times" or "shares". Return out.
 */
const char *loss_line(const struct loss *l, const char *what, char out[LOSS_LINE]);

#endif
