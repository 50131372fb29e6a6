/*
 * A prf device: what prfld, prfstat, prfsnap and prfdc have in common.
 * Host: no
 */
#include "userland/profile/prfdev.h"

#include <sys/ioctl.h>
#include <sys/prf.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "userland/command/usage.h"

const char *prfdev_option(int argc, char **argv, const char *synopsis)
{
	const char *dev = PRFDEV;
	int c;

	while ((c = getopt(argc, argv, "f:h")) != -1) {
		if (c != 'f')
			usage(c, synopsis);
		dev = optarg;
	}
	return dev;
}

int prfdev_get(int fd, uint32_t command, const char *dev)
{
	int value;

	if (ioctl(fd, command, &value) < 0) {
		/* Devices that know no ioctl(2) say so in this way. */
		if (errno == ENOTTY)
			errx(1, "%s: not a prf device", dev);
		err(1, "%s", dev);
	}
	return value;
}

int prfdev_open(const char *dev, int flags)
{
	int fd = open(dev, flags);

	if (fd < 0)
		err(1, "%s", dev);
	prfdev_get(fd, PRF_GETMAX, dev); /* any other file has no such number */
	return fd;
}

/* The name tells: "prf" is all processors, "prf0" the first. */
uint32_t prfdev_minor(const char *dev)
{
	const char *slash = strrchr(dev, '/'), *name = slash ? slash + 1 : dev;
	unsigned long minor;
	char *end;

	if (strcmp(name, "prf") == 0)
		return PRF_ALL;
	/* strtoul would take blanks and a sign. */
	if (strncmp(name, "prf", 3) == 0 && name[3] >= '0' && name[3] <= '9') {
		minor = strtoul(name + 3, &end, 10);
		if (!*end && minor <= PRF_ALL)
			return minor;
	}
	errx(1, "%s: not a name of a prf device, as %s and %s0 are", dev, PRFDEV, PRFDEV);
}
