/* `#F`: prf(7). */
#ifndef DRIVERS_DEVPRF_H
#define DRIVERS_DEVPRF_H

#include "dev.h"

extern const struct dev prfdev;

#endif
