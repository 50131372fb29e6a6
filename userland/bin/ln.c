/* ln: gives files further names, or with -s makes symbolic links. */
#include <sys/stat.h>
#include <err.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "userland/command/usage.h"
#include "userland/files/path.h"

static bool symbolic, force; /* -s and -f */

static const char synopsis[] =
	"ln [-fs] from to\n"
	"       ln [-fs] from ... directory";

/* Make one link. Return 0, or -1 with errno. */
static int try(const char *from, const char *to)
{
	return symbolic ? symlink(from, to) : link(from, to);
}

/* Return whether `to' is the file, not a link, that `from' leads to. */
static bool is_there(const char *from, const char *to)
{
	struct stat a, b;

	return stat(from, &a) == 0 && lstat(to, &b) == 0 && path_same(&a, &b);
}

/*
 * Make one link, in the place of a file if that is forced: once it is known that only this is in
 * the way, and that it is not what the link is to lead to. Return an exit status.
 */
static int make(char *from, char *to)
{
	int failed = try(from, to);

	if (failed && errno == EEXIST && force) {
		if (is_there(from, to)) {
			warnx("%s and %s are the same file", from, to);
			return 1;
		}
		failed = unlink(to) < 0 || try(from, to) < 0;
	}
	if (failed)
		warn("%s to %s", to, from);
	return failed != 0;
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
