/* Processes that are profiled by profil(2) or sprofil(2). */
#ifndef KERNEL_PROF_PROFIL_H
#define KERNEL_PROF_PROFIL_H

#include "kernel/proc.h"
#include "prof/prof.h"

/*
 * Only the process itself, in the kernel, and ticks that find it in user mode touch this.
 * So the two never meet, and there is no lock.
 */
struct profiled {
	struct profil noted;	      /* not counted yet */
	struct profil_buffers *into; /* where it will be */
};

/* Between hold and release the profiling clock runs. Called once, at boot. */
void profil_clock(void (*hold)(void), void (*release)(void));

#endif
