/*
 * What a tick interrupted, what a process waited for, and what became of memory: one list for all,
 * which the tables of paths note in 4 bits. A new cause of waiting has a line here, a row in
 * prof_cause.c and what CONTRIBUTING lists; what it is called there is what kpstack(5), kpwait(5)
 * and the programs that read them call it.
 */
#pragma once

#include <stdbool.h>
#include "prof/prof_config.h"

enum prof_cause {
	/* What a tick interrupted. A process that waited for nothing, but let others have its CPU
	 * or lost it, did so in PROF_KERNEL or PROF_USER. */
	PROF_KERNEL, PROF_IDLE, PROF_USER,
	PROF_INTERRUPT, /* no sample's: the kernel, on a path that an interrupt has called */

	/* No sample's: memory that is in use, or was freed, by the path that allocated it. */
	PROF_IN_USE, PROF_FREED,

	/* What a process waited for: prof_cause_waits(). */
	PROF_DEVICE, PROF_PIPE, PROF_SLEEP, PROF_CHILD, PROF_LOCK,
	PROF_READY, /* no sample's: for a CPU, after any of these */

	PROF_NCAUSE
};

PROF_ASSERT(PROF_NCAUSE <= 16, "an entry has 4 bits for it");

/* Return whether a wait's sample tells how long it waited before it was ready to run. */
static inline bool prof_cause_waits(enum prof_cause what)
{
	return what >= PROF_DEVICE;
}

extern const char *const prof_cause_step[PROF_NCAUSE]; /* the step of a path that tells it */
