/* ln: gives files further names, or with -s makes symbolic links. */
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "userland/command/usage.h"
#include "userland/files/path.h"

static bool symbolic, force; /* -s and -f */

static const char synopsis[] =
	"ln [-fs] from to\n"
	"       ln [-fs] from ... directory";

/* Make one link. Return an exit status. */
static int make(char *from, char *to)
{
	if (force)
		unlink(to); /* what is the matter with it, making the link will tell */
	if ((symbolic ? symlink(from, to) : link(from, to)) == 0)
		return 0;
	warn("%s to %s", to, from);
	return 1;
}

int main(int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "fhs")) != -1) {
		if (c == 'f')
			force = true;
		else if (c == 's')
			symbolic = true;
		else
			usage(c, synopsis);
	}
	if (argc - optind < 2)
		usage('?', synopsis);
	return path_each_into(argv + optind, argc - optind - 1, argv[argc - 1], make);
}
