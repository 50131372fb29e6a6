/*
 * From when to when each process of a time line ran on a CPU, as far as changes of process are
 * recorded: ticks alone tell no runs.
 */
#ifndef TOOLS_PROFILE_RUNS_H
#define TOOLS_PROFILE_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/profile/profdata.h"

struct run {
	uint64_t from, to; /* UINT64_MAX: it goes on after the last record */
	uint32_t pid, process; /* the number, and the name when it began */
	uint8_t wait; /* what the process had waited for, as a record has it */
};

struct runs {
	struct run *run;
	size_t n, room;
	uint64_t *off; /* moments at which recording was stopped, ascending */
	size_t noff, room_off;
};

/* Find the runs, process by process, in order of time; those of idle CPUs are none. */
void runs_find(struct runs *runs, const struct profdata *p);
void runs_free(struct runs *runs);

/* Return the end of the runs of one process that begin there: the index after the last. */
size_t runs_end(const struct runs *runs, size_t first);

/* Return whether recording was stopped between. */
bool runs_was_off(const struct runs *runs, uint64_t from, uint64_t to);

#endif
