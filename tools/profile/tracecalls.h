/*
 * Entries to functions and returns from them, among the records of a time line, kptrace(5): the
 * paths that they make, as a time line of functions.
 */
#ifndef TOOLS_PROFILE_TRACECALLS_H
#define TOOLS_PROFILE_TRACECALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/complaint.h"
#include "tools/profile/profdata.h"

/* An entry, or a return. */
struct tracecalls_call {
	uint64_t ns; /* since the machine was started */
	code_addr pc; /* in the function */
	size_t after; /* how many records the profile had before it */
	uint32_t on;  /* which of the profile's CPUs it was on, as an index */
	uint32_t pid;
	unsigned line; /* of the file */
	bool returns;
};

/* All of a file, in its order: CPU by CPU, ascending in time. All zero to begin with. */
struct tracecalls {
	struct tracecalls_call *call;
	size_t n, room;
};

void tracecalls_add(struct tracecalls *t, const struct tracecalls_call *call);

/*
 * Make the profile of ticks, with its records, into one of functions in that image: in nanoseconds,
 * with a record for each entry and return and each change of process. 0, or -1 and *why.
 */
int tracecalls_apply(const struct tracecalls *t, struct profdata *p, uint32_t image,
		     struct complaint *why);

void tracecalls_free(struct tracecalls *t);

#endif
