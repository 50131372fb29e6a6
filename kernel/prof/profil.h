/* Processes that are profiled by profil(2) or sprofil(2). */
#pragma once

#include "prof/prof.h"

/*
 * Only the process itself, in the kernel, and ticks that find it in user mode touch this.
 * The two never run at the same time, so there is no lock.
 */
struct profiled {
	struct prof_profil noted;    /* samples not counted yet */
	struct profil_buffers *into; /* the buffers that will count them */
};

/* Set what holds the profiling clock, as profclock_change() does. Called once, at boot. */
void profil_clock(void (*change)(int more, void (*then)(void *arg), void *arg));
