/*
 * pwd: prints the path of the current directory. The kernel keeps it with the process as it was
 * reached, so a directory that was bound elsewhere shows by that name.
 */
#include <err.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "userland/command/usage.h"

static const char synopsis[] = "pwd";

int main(int argc, char **argv)
{
	char path[PATH_MAX];

	no_options(argc, argv, synopsis);
	if (optind < argc)
		usage('?', synopsis);
	if (!getcwd(path, sizeof(path)))
		err(1, "current directory");
	puts(path);
	return 0;
}
