/* rm: removes files, and with -r directories and all that is in them. */
#include <sys/stat.h>
#include <err.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "userland/command/memory.h"
#include "userland/command/usage.h"
#include "userland/files/path.h"

/* A directory with a longer path below the operand is moved up before it is emptied. */
#define DEEP 256

static bool recursive, force; /* -r and -f */
static const char *top;	      /* the operand that is being removed */
static bool lifted;	      /* something was moved up to it, and is to be removed yet */

static const char synopsis[] = "rm [-fr] file ...";

/*
 * Say why something stays, and return 1; but with -f what was not there anyway is no failure, and
 * the result is 0.
 */
static int complain(const char *path)
{
	if (force && errno == ENOENT)
		return 0;
	warn("%s", path);
	return 1;
}

/* Move a directory to `top`, under a name that is not taken. Return 1 after a warning, else 0. */
static int lift(const char *path)
{
	static unsigned n;
	struct stat st;
	char name[32], *to = NULL;

	do {
		free(to);
		snprintf(name, sizeof(name), "rm.%u", n++);
		to = path_join(top, name);
	} while (lstat(to, &st) == 0);
	int failed = rename(path, to) < 0 ? complain(path) : 0;
	free(to);
	lifted |= !failed;
	return failed;
}

static int drop(const char *path);

/* Remove what is in a directory. Return 1 after a warning, else 0. */
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

/*
 * Remove a file or, with -r, a tree; its directories when they are empty. Of what a symbolic link
 * leads to nothing is removed.
 */
static int drop(const char *path)
{
	struct stat st;

	if (lstat(path, &st) < 0)
		return complain(path);
	if (S_ISDIR(st.st_mode)) {
		if (!recursive) {
			warnx("%s: is a directory (-r removes it)", path);
			return 1;
		}
		if (strlen(path) > strlen(top) + DEEP)
			return lift(path);
		/* A directory with something left in it cannot go either: one warning is enough. */
		if (drop_entries(path))
			return 1;
		if (lifted && path == top)
			return 0;
	}
	return remove(path) < 0 ? complain(path) : 0;
}

/* Remove an operand, and what was moved up meanwhile. Return 1 after a warning, else 0. */
static int drop_all(const char *path)
{
	int failed = 0;

	top = path;
	do {
		lifted = false;
		failed |= drop(path);
	} while (lifted);
	return failed;
}

/*
 * Return whether a path's last part is "." or "..", or it is the root: nobody means to remove that,
 * and POSIX forbids it.
 */
static bool is_slip(const char *path)
{
	char *base = path_base(path);
	bool slip = strcmp(base, ".") == 0 || strcmp(base, "..") == 0 || strcmp(base, "/") == 0;

	free(base);
	return slip;
}

/* Cut the slashes after the name of a symbolic link: it is the link that is to be removed. */
static void cut_slashes(char *path)
{
	size_t end = strlen(path);
	struct stat st;
	char *name;

	while (end > 1 && path[end - 1] == '/')
		end--;
	name = memory(strndup(path, end));
	if (lstat(name, &st) == 0 && S_ISLNK(st.st_mode))
		path[end] = '\0';
	free(name);
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
	/* As in POSIX, -f of nothing is no error: a pattern may have matched nothing. */
	if (optind == argc && !force)
		usage('?', synopsis);
	for (; optind < argc; optind++) {
		if (is_slip(argv[optind])) {
			warnx("%s: will not be removed", argv[optind]);
			failed = 1;
		} else {
			cut_slashes(argv[optind]);
			failed |= drop_all(argv[optind]);
		}
	}
	return failed;
}
