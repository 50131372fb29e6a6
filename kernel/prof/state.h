/* What the profilers keep of a process and of a CPU; only kernel/prof/ looks inside. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "prof/arch/prof_entry.h"
#include "prof/prof_sample.h"

/* In struct proc; "proc" is proc_lock. All zero: the process is not profiled. */
struct proc_prof {
	struct profiled *profil;    /* its own; NULL: not profiled by profil(2); see profil.h */
	struct prof_beat beat;	    /* its own: when its next sample is due, while it is not */
	struct {
		uint64_t device, number, version;
	} file;			    /* its own: its program's, as in prof/prof_module.h */
	struct prof_module *module; /* proc: what it counts as for prof(3); NULL: nothing */
	struct prof_module *cover;  /* proc: the same if all its instructions count; or NULL */
	bool chosen;		    /* proc: it, or an ancestor, was chosen to be covered alone */
	bool stepped;		    /* its own: covered since exec; see cover.c */
	uint32_t step_pc;	    /* its own: the instruction about to be counted; 0: none */
};
