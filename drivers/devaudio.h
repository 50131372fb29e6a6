/* `#A`: audio(4). */
#ifndef DRIVERS_DEVAUDIO_H
#define DRIVERS_DEVAUDIO_H

#include "dev.h"

extern const struct dev audiodev;

#endif
