/* The devices of which other files need only the names. */
#pragma once

#include "kernel/file/dirtab.h"

extern const struct dev audiodev; /* 'A': audio(4) */
extern const struct dev consdev;  /* 'c': the console and other small files, cons(4) */
extern const struct dev eiadev;	  /* 't': the second serial port, eia(4) */
extern const struct dev gmondev;  /* 'G': gmon(4) */
extern const struct dev kprofdev; /* 'T': kprof(3) */
extern const struct dev ninepdev; /* '9': folders of the host's, 9p(4) */
extern const struct dev prfdev;	  /* 'F': prf(7) */
extern const struct dev procdev;  /* 'p': the processes, proc(4) */
extern const struct dev profdev;  /* 'P': prof(3) */
