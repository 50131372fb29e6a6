/*
 * rm: removes files, and with -r directories and all that is in them: from within them, for in a
 * path a user may meanwhile have put a link in the place of a directory.
 */
#include <sys/bind.h>
#include <sys/stat.h>
#include <err.h>
#include <errno.h>
#include <libgen.h>
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

/* The directory that is removed has this name, too, which no link can lead elsewhere. */
#define TOP "/proc"

static bool recursive, force; /* -r and -f */
static bool alone;	      /* the namespace is nobody else's */
static const char *top;	      /* the operand that is being removed */
static bool named;	      /* it is TOP, too */
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

/*
 * Move a directory, which has a name here, to the top, under a name that is not taken. Return 1
 * after a warning, else 0.
 */
static int lift(const char *name, const char *path)
{
	static unsigned n;
	struct stat st;
	char to[32];

	if (!named) {
		warnx("%s: too deep", path);
		return 1;
	}
	do
		snprintf(to, sizeof(to), TOP "/rm.%u", n++);
	while (lstat(to, &st) == 0);
	int failed = rename(name, to) < 0 ? complain(path) : 0;
	lifted |= !failed;
	return failed;
}

static int drop(const char *name, const struct stat *here, const char *path);

/* Remove what is in the directory that the current one has, as does drop(). */
static int drop_entries(const char *name, const struct stat *st, const struct stat *here,
			const char *path)
{
	if (!path_enter(name, st, path))
		return complain(path);
	if (path == top)
		named = alone && bind(".", TOP, MREPL) == 0;
	char **names = path_names(".", NULL);
	int failed = names ? 0 : complain(path);

	for (char **p = names; p && *p; p++) {
		char *entry = path_join(path, *p);

		failed |= drop(*p, st, entry);
		free(entry);
	}
	if (names)
		path_names_free(names);
	if (!path_enter("..", here, path))
		err(1, "%s", path);
	return failed;
}

/*
 * Remove a file or a tree; its directories when they are empty. Of what a symbolic link leads to
 * nothing is removed. It has a name in the current directory, which is here, and a path by
 * which it is called. Return 1 after a warning, else 0.
 */
static int drop(const char *name, const struct stat *here, const char *path)
{
	struct stat st;

	if (lstat(name, &st) < 0)
		return complain(path);
	if (S_ISDIR(st.st_mode)) {
		if (strlen(path) > strlen(top) + DEEP)
			return lift(name, path);
		/* A directory with something left in it cannot go either: one warning is enough. */
		if (drop_entries(name, &st, here, path))
			return 1;
		if (lifted && path == top)
			return 0;
	}
	return remove(name) < 0 ? complain(path) : 0;
}

/* Remove a directory, and what was moved up meanwhile. Return 1 after a warning, else 0. */
static int drop_tree(const char *path)
{
	char *base = path_base(path), *copy = memory(strdup(path));
	const char *parent = dirname(copy);
	struct stat here;
	int failed = 0;

	if (stat(parent, &here) < 0 || !path_enter(parent, &here, path))
		return complain(path);
	top = path;
	do {
		lifted = false;
		failed |= drop(base, &here, path);
	} while (lifted);
	free(copy);
	free(base);
	return failed;
}

/* Remove an operand. Return 1 after a warning, else 0. */
static int drop_operand(const char *path)
{
	struct stat st;

	if (lstat(path, &st) < 0)
		return complain(path);
	if (!S_ISDIR(st.st_mode))
		return remove(path) < 0 ? complain(path) : 0;
	if (recursive)
		return drop_tree(path);
	warnx("%s: is a directory (-r removes it)", path);
	return 1;
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
	alone = recursive && rfork(RFNAMEG) == 0;
	for (; optind < argc; optind++) {
		path_back_for(argv[optind]);
		if (is_slip(argv[optind])) {
			warnx("%s: will not be removed", argv[optind]);
			failed = 1;
		} else {
			cut_slashes(argv[optind]);
			failed |= drop_operand(argv[optind]);
		}
	}
	return failed;
}
