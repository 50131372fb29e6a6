/*
 * prfsnap: adds one snapshot of the kernel profiler's counters to a log. Two of them are what
 * prfpr(8) needs to tell what happened in between.
 * Host: no
 */
#include <unistd.h>

#include "userland/command/usage.h"
#include "userland/profile/prfappend.h"
#include "userland/profile/prfdev.h"
#include "userland/profile/prfmain.h"

static const char synopsis[] = "prfsnap [-f dev] file";

int prfsnap_main(int argc, char **argv)
{
	const char *dev = prfdev_option(argc, argv, synopsis);

	if (argc - optind != 1)
		usage('?', synopsis);
	prfappend(dev, argv[optind]);
	return 0;
}
