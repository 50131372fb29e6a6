/*
 * What the profilers keep of a process and of a CPU, into which only kernel/prof/ looks. What a
 * process may wait for is in prof/prof_cause.h, which comes with it.
 */
#pragma once

#include "prof/arch/prof_entry.h"
#include "prof/prof_call.h"

/*
 * In struct proc; "proc" is proc_lock, "sched" the lock of its CPU. All zero: it is not profiled.
 */
struct proc_prof {
	struct profiled *profil;    /* its own; NULL: not profiled by profil(2); see profil.h */
	struct prof_beat beat;	    /* its own: when its next sample is due, while it is not */
	struct prof_module_file file; /* its own: its program's */
	struct prof_module *module; /* proc: what it counts as for prof(3); NULL: nothing */
	struct prof_module *cover;  /* proc: the same if all its instructions count; or NULL */
	bool chosen;		    /* proc: it, or an ancestor, was chosen to be covered alone */
	bool stepped;		    /* its own: covered since exec; see cover.c */
	uint32_t step_pc;	    /* its own: the instruction about to be counted; 0: none */
	uint64_t left;		    /* its own: when it was last taken off a CPU */
	uint64_t came;		    /* its own: when it was last given one */
	uint64_t skipped;	    /* of the time since it left, what waits.c does not count */
	uint64_t woken;		    /* sched: when its last wait ended, if waits are counted */
	uint32_t named;		    /* proc: a number that no other name has; changes before it */
	struct prof_call_stack *calls; /* its own, and proc to set it: its calls, or NULL */
};
