/* How many of the profiling clock's ticks a profile has, and how many were lost. */
#ifndef USERLAND_PROFILE_LOSS_H
#define USERLAND_PROFILE_LOSS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "userland/formats/ticks.h"

/* What kpinfo, kprof(3), says of a profiler, or kpstack(5) of its paths. */
struct loss {
	char clock[8], delivery[8]; /* "pit", "nmi" */
	uint64_t hz, period_us;
	uint64_t start; /* a number that this start of the kernel has */
	uint64_t elapsed_us;
	struct ticks all, cpu[TICKS_MAXCPU];
	uint32_t ncpu;
};

/*
 * Take what a text has of a profiler: "kprof", "gmon" or "any". A text that names no profiler is of
 * the one that wrote it. Return false, and all zeros, if nothing is said of the clock.
 */
bool loss_parse(struct loss *l, const char *text, const char *profiler);

/* The same of /dev/kpinfo as it is now; false also if it cannot be read. */
bool loss_read(struct loss *l, const char *profiler);

/* Subtract what there was before; of a clock that was zeroed meanwhile, all is new. */
void loss_since(struct loss *l, const struct loss *before);

/*
 * Write a line that says how much was lost and what can be done about it, or "" if not more than
 * 1 % was lost. `what` is measured in ticks: "times" or "shares". Return out.
 */
const char *loss_line(const struct loss *l, const char *what, char out[static TICKS_LINE]);

#endif
