/* `#9`: folders of the host's, by 9P2000.L over virtio. */
#ifndef DRIVERS_DEV9P_H
#define DRIVERS_DEV9P_H

#include "dev.h"

extern const struct dev ninepdev;

#endif
