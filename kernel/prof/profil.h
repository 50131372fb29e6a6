/* A process that is profiled by profil(2) or sprofil(2). */
#ifndef KERNEL_PROF_PROFIL_H
#define KERNEL_PROF_PROFIL_H

#include <stdbool.h>
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

/* Whose ticks these are: hold and release make the profiling clock run. Once, at boot. */
void profil_clock(void (*hold)(void), void (*release)(void));

#endif
