/* `#G`: gmon(4). */
#ifndef DRIVERS_DEVGMON_H
#define DRIVERS_DEVGMON_H

#include "dev.h"

extern const struct dev gmondev;

#endif
