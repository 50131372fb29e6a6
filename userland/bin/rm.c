/* rm: removes files, and with -r directories and all that is in them. */
#include <sys/stat.h>
#include <err.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "userland/command/usage.h"
#include "userland/files/path.h"

static bool recursive, force;

static const char synopsis[] = "rm [-fr] file ...";

/* Says why something stays, unless -f was given and it was not there anyway. */
static int complain(const char *path)
{
	if (force && errno == ENOENT)
		return 0;
	warn("%s", path);
	return 1;
}

static int drop(const char *path);

/* Removes what is in a directory. */
static int drop_entries(const char *dir)
{
	char **names = path_names(dir, NULL);
	int failed = 0;

	if (!names)
		return complain(dir);
	for (char **p = names; *p; p++) {
		char *path = path_join(dir, *p);

		failed |= drop(path);
		free(path);
	}
	path_names_free(names);
	return failed;
}

/* Removes a file or, with -r, a tree. */
static int drop(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return complain(path);
	if (S_ISDIR(st.st_mode)) {
		if (!recursive) {
			warnx("%s: is a directory (-r removes it)", path);
			return 1;
		}
		if (drop_entries(path))
			return 1;
	}
	return remove(path) < 0 ? complain(path) : 0;
}

/* Whether a path's last part is "." or "..", or there is none: removing that is a slip. */
static bool is_slip(const char *path)
{
	char *base = path_base(path);
	bool slip = strcmp(base, ".") == 0 || strcmp(base, "..") == 0 || strcmp(base, "/") == 0;

	free(base);
	return slip;
}

int main(int argc, char **argv)
{
	int c, failed = 0;

	while ((c = getopt(argc, argv, "fhr")) != -1) {
		if (c == 'f')
			force = true;
		else if (c == 'r')
			recursive = true;
		else
			usage(c, synopsis);
	}
	if (optind == argc && !force)
		usage('?', synopsis);
	for (; optind < argc; optind++) {
		if (is_slip(argv[optind])) {
			warnx("%s: will not be removed", argv[optind]);
			failed = 1;
		} else {
			failed |= drop(argv[optind]);
		}
	}
	return failed;
}
