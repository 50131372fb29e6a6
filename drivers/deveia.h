/* `#t`: the second serial port. */
#ifndef DRIVERS_DEVEIA_H
#define DRIVERS_DEVEIA_H

#include "dev.h"

extern const struct dev eiadev;

#endif
