/* prfsnap: adds one snapshot of the kernel profiler's counters to a log. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "userland/profile/prfappend.h"
#include "userland/profile/prfdev.h"

static void usage(FILE *to)
{
	fprintf(to, "usage: prfsnap [-f dev] file\n");
	exit(to == stdout ? 0 : 2);
}

int main(int argc, char **argv)
{
	const char *dev = PRFDEV;
	int c;

	while ((c = getopt(argc, argv, "f:h")) != -1) {
		if (c != 'f')
			usage(c == 'h' ? stdout : stderr);
		dev = optarg;
	}
	if (argc - optind != 1)
		usage(stderr);
	prfappend(dev, argv[optind]);
	return 0;
}
