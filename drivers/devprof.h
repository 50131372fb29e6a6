/* `#P`: prof(3). */
#ifndef DRIVERS_DEVPROF_H
#define DRIVERS_DEVPROF_H

#include "dev.h"

extern const struct dev profdev;

#endif
