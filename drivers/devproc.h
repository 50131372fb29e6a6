/* `#p`: the processes. */
#ifndef DRIVERS_DEVPROC_H
#define DRIVERS_DEVPROC_H

#include "dev.h"

extern const struct dev procdev; /* 'p' */

#endif
