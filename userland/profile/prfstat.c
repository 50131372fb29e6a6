/*
 * prfstat: switches a prf device on or off, or shows its state. In both cases the state is printed
 * as it is afterwards.
 * Host: no
 */
#include <sys/ioctl.h>
#include <sys/prf.h>
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "userland/command/usage.h"
#include "userland/profile/prfdev.h"
#include "userland/profile/prfmain.h"

static const char synopsis[] = "prfstat [-f dev] [on|off]";

int prfstat_main(int argc, char **argv)
{
	const char *dev = prfdev_option(argc, argv, synopsis);
	int fd, on = 0, status;

	argc -= optind;
	argv += optind;
	if (argc > 1)
		usage('?', synopsis);
	if (argc == 1) {
		on = strcmp(argv[0], "on") == 0;
		if (!on && strcmp(argv[0], "off") != 0)
			usage('?', synopsis);
	}
	fd = prfdev_open(dev, O_RDONLY);
	if (argc == 1 && ioctl(fd, PRF_SETSTATE, on) < 0)
		err(1, "%s", dev);
	/* What is printed is asked for, not remembered: the device may not have obeyed. */
	status = prfdev_get(fd, PRF_GETSTATUS, dev);
	/* A device without addresses stays off, and that is no error of the call. */
	if (on && !(status & PRF_ON))
		errx(1, "%s: no addresses are loaded; see prfld(8)", dev);
	if (status & PRF_LOADED)
		printf("%s: %s, %d addresses\n", dev, status & PRF_ON ? "on" : "off",
		       prfdev_get(fd, PRF_GETSIZE, dev));
	else
		printf("%s: not loaded\n", dev);
	return 0;
}
