/*
 * Calls whose times were measured, one by one: what kpcall(5) has. Times are in units of a clock,
 * and are the thread's: without what measuring took, and without the time in which others ran.
 */
#ifndef TOOLS_PROFILE_CALLS_H
#define TOOLS_PROFILE_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/code/addr.h"

#define CALLS_SPANS 64

/* What some calls took. */
struct calls_times {
	uint64_t count;
	uint64_t total, self;	    /* with what measured callees took, and without */
	uint64_t asleep;	    /* while another thread ran; of calls that are not over, too */
	uint64_t shortest, longest; /* 0 if none is over */
	uint64_t span[CALLS_SPANS]; /* [b]: how many took 2^b units to 2^(b+1) - 1; [0] also 0 */
};

/* The calls from one place to one function, on one CPU. */
struct calls_pair {
	uint32_t cpu, image; /* image: an index in the profile */
	code_addr frompc, selfpc; /* where they return to; in the function called */
	struct calls_times times;
};

/* What is known of all calls on a CPU. */
struct calls_cpu {
	uint64_t inside; /* the time of calls that no measured one had made */
	uint64_t lost;	 /* calls that were not measured, or not counted */
	uint64_t left;	 /* calls that never returned */
};

struct calls {
	struct calls_pair *pair;
	size_t n, room;
	struct calls_cpu *cpu; /* by number */
	size_t ncpu, room_cpu;
	uint64_t per_ms; /* units of the clock in a millisecond */
	uint64_t cost;	 /* what measuring a call took, which is in no time */
};

/*
 * Add to times. False, and nothing has changed: the sum would be 2^64 or more. That is told by the
 * count, the total and the time asleep alone, for no other number is greater than these.
 */
bool calls_add(struct calls_times *to, const struct calls_times *from);

/* Append a pair, and add to what is known of a CPU; a sum ends at 2^64 - 1. */
void calls_append(struct calls *c, const struct calls_pair *pair);
void calls_append_cpu(struct calls *c, size_t cpu, const struct calls_cpu *of);

/* Return the sums of all CPUs, which end at 2^64 - 1, too. */
struct calls_cpu calls_cpus(const struct calls *c);

void calls_free(struct calls *c);

/* The calls of a function, or of those of one caller. */
struct calls_row {
	uint32_t function, caller; /* numbers of functions; caller 0 if they are not told apart */
	struct calls_times times;
};

struct functions;

/*
 * Return what the profile of the functions has for each function, or with `callers` for each
 * function and each that called it: *n rows, by function and caller, which the caller frees. A
 * function that calls itself counts the time of the inner calls in its total again.
 */
struct calls_row *calls_rows(struct functions *f, bool callers, size_t *n);

#endif
