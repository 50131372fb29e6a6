/*
 * cp: copies files, and with -r directories. A failure is told and the rest is copied all the same;
 * the status is 1 then. Links in a tree are not followed, so it has no cycles but the one told
 * below.
 */
#include <sys/stat.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "userland/command/usage.h"
#include "userland/files/path.h"
#include "userland/files/stream.h"

static char buf[STREAM_BUF];
static bool recursive;	 /* -r */
static struct stat made; /* the directory at the top of the copied tree */

static const char synopsis[] =
	"cp [-r] from to\n"
	"       cp [-r] from ... directory";

/* Copy what is left in one file to another. Return 1 after a warning, else 0, as all these do. */
static int copy_data(int in, const char *from, int out, const char *to)
{
	ssize_t n;

	while ((n = read(in, buf, sizeof(buf))) > 0) {
		if (stream_write(out, buf, n) < 0) {
			warn("%s", to);
			return 1;
		}
	}
	if (n < 0)
		warn("%s", from);
	return n < 0;
}

/*
 * Copy one file, whichever kind it is, by reading it. The mode of a device says who may use it, and
 * is not the copy's.
 */
static int copy_file(const char *from, const struct stat *st, const char *to)
{
	struct stat old;
	int in, out, failed;

	/* Opening it would cut it off before it is read. */
	if (stat(to, &old) == 0 && path_same(st, &old)) {
		warnx("%s and %s are the same file", from, to);
		return 1;
	}
	in = open(from, O_RDONLY);
	if (in < 0) {
		warn("%s", from);
		return 1;
	}
	out = open(to, O_WRONLY | O_CREAT | O_TRUNC,
		   S_ISREG(st->st_mode) ? st->st_mode & 0777 : 0644);
	if (out < 0) {
		warn("%s", to);
		close(in);
		return 1;
	}
	failed = copy_data(in, from, out, to);
	close(in);
	/* A file of the host's may tell only now that its disk is full. */
	if (close(out) < 0 && !failed) {
		warn("%s", to);
		failed = 1;
	}
	return failed;
}

static int copy(const char *from, const char *to, bool top); /* which copies entries, too */

/* Copy a directory's entries into another. */
static int copy_entries(const char *from, const char *to)
{
	char **names = path_names(from, NULL);
	int failed = 0;

	if (!names) {
		warn("%s", from);
		return 1;
	}
	for (char **p = names; *p; p++) {
		char *a = path_join(from, *p), *b = path_join(to, *p);

		failed |= copy(a, b, false);
		free(a);
		free(b);
	}
	path_names_free(names);
	return failed;
}

/*
 * Copy a directory, making the new one or adding to it. The new one may lie within the old one, and
 * is met again then: it is not copied, for that would have no end.
 */
static int copy_dir(const char *from, const struct stat *st, const char *to, bool top)
{
	struct stat new;

	if (!top && path_same(st, &made)) {
		warnx("%s: will not be copied into itself", from);
		return 1;
	}
	/* The owner's bits are needed to fill it. */
	if (mkdir(to, (st->st_mode & 0777) | 0700) < 0 && errno != EEXIST) {
		warn("%s", to);
		return 1;
	}
	if (stat(to, &new) < 0 || !S_ISDIR(new.st_mode)) {
		warnx("%s: not a directory", to);
		return 1;
	}
	if (top && path_same(st, &new)) {
		warnx("%s and %s are the same directory", from, to);
		return 1;
	}
	if (top)
		made = new;
	return copy_entries(from, to);
}

/* Make the same symbolic link once more. */
static int copy_link(const char *from, const char *to)
{
	const char *wrong = path_copy_link(from, to);

	if (wrong)
		warn("%s", wrong);
	return wrong != NULL;
}

/*
 * Copy a file or a directory; top says that it is an operand, where links are followed. In a tree
 * a copy takes the place of a link: what that leads to may be nobody's business.
 */
static int copy(const char *from, const char *to, bool top)
{
	struct stat st, old;

	if ((top ? stat(from, &st) : lstat(from, &st)) < 0) {
		warn("%s", from);
		return 1;
	}
	if (!top && lstat(to, &old) == 0 && S_ISLNK(old.st_mode))
		unlink(to); /* if it stays, that is told below */
	if (S_ISLNK(st.st_mode))
		return copy_link(from, to);
	if (!S_ISDIR(st.st_mode))
		return copy_file(from, &st, to);
	if (recursive)
		return copy_dir(from, &st, to, top);
	warnx("%s: is a directory (-r copies it)", from);
	return 1;
}

/* Copy an operand. */
static int copy_operand(char *from, char *to)
{
	return copy(from, to, true);
}

int main(int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "hr")) != -1) {
		if (c != 'r')
			usage(c, synopsis);
		recursive = true;
	}
	if (argc - optind < 2)
		usage('?', synopsis);
	return path_each_into(argv + optind, argc - optind - 1, argv[argc - 1], copy_operand);
}
