/* How a command is used. */
#include "userland/command/usage.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void usage(int letter, const char *synopsis)
{
	fprintf(letter == 'h' ? stdout : stderr, "usage: %s\n", synopsis);
	exit(letter == 'h' ? 0 : 2);
}

void no_options(int argc, char **argv, const char *synopsis)
{
	int letter = getopt(argc, argv, "h");

	if (letter != -1)
		usage(letter, synopsis);
}
