/* A prf device, as its commands use it: prf(7). */
#ifndef USERLAND_PROFILE_PRFDEV_H
#define USERLAND_PROFILE_PRFDEV_H

#include <stdint.h>

#define PRFDEV "/dev/prf"

/*
 * Take the options of a command that has -f dev and -h, and return the device's path. The
 * operands begin at optind.
 */
const char *prfdev_option(int argc, char **argv, const char *synopsis);

/*
 * Open a device, and get one of its numbers by a command PRF_GET..., or end the program with a
 * message that names the device.
 */
int prfdev_open(const char *dev, int flags);
int prfdev_get(int fd, uint32_t command, const char *dev);

/* Return the minor number in a device's name: PRF_ALL, or a processor's. */
uint32_t prfdev_minor(const char *dev);

#endif
