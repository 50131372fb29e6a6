/* mkdir: makes directories, and with -p those that they are in. */
#include <sys/stat.h>
#include <err.h>
#include <errno.h>
#include <stdbool.h>
#include <unistd.h>

#include "userland/command/usage.h"

static const char synopsis[] = "mkdir [-p] directory ...";

/* Make a directory unless it is there. Return -1 with errno if neither can be. */
static int make(const char *path)
{
	struct stat st;

	if (mkdir(path, 0755) == 0)
		return 0;
	if (errno == EEXIST && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return 0;
	return -1;
}

/*
 * Make a directory and those it is in: each prefix that ends before a slash, in turn. The path is
 * changed on the way and is as before at the end. Return -1 with errno if one cannot be made.
 */
static int make_all(char *path)
{
	for (char *p = path + 1; *p; p++) {
		int made;

		/* Several slashes are like one. */
		if (*p != '/' || p[-1] == '/')
			continue;
		*p = '\0';
		made = make(path);
		*p = '/';
		if (made < 0) {
			/* What is in the way is no directory. */
			errno = errno == EEXIST ? ENOTDIR : errno;
			return -1;
		}
	}
	return make(path);
}

int main(int argc, char **argv)
{
	bool parents = false;
	int c, failed = 0;

	while ((c = getopt(argc, argv, "hp")) != -1) {
		if (c != 'p')
			usage(c, synopsis);
		parents = true;
	}
	if (optind == argc)
		usage('?', synopsis);
	for (; optind < argc; optind++) {
		/* make_all looks at the second character, so the path must have a first. */
		bool deep = parents && argv[optind][0] != '\0';

		if ((deep ? make_all(argv[optind]) : mkdir(argv[optind], 0755)) < 0) {
			warn("%s", argv[optind]);
			failed = 1;
		}
	}
	return failed;
}
