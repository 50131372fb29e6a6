/* `#T`: kprof(3). */
#ifndef DRIVERS_DEVKPROF_H
#define DRIVERS_DEVKPROF_H

#include "dev.h"

extern const struct dev kprofdev;

#endif
