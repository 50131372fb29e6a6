/*
 * cp: copies files, and with -r directories. A failure is told and the rest is copied all the same;
 * the status is 1 then. Links in a tree are not followed, so it has no cycles but the one told
 * below; and its files are opened and made from within their directories, for in a path a user may
 * meanwhile have put a link in the place of one.
 */
#include <sys/stat.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "userland/command/usage.h"
#include "userland/files/path.h"
#include "userland/files/stream.h"

/* A directory of a tree, or of its copy. */
struct place {
	const char *path; /* as messages have it */
	const char *real; /* absolute, and without links */
	struct stat st;
};

/* What is in a directory of a tree. */
struct entry {
	const struct place *in, *copy; /* where it is, and where its copy goes */
	const char *name;	       /* in both */
	char *from, *to;	       /* their paths, as messages have them */
	struct stat st;
};

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

/* Copy an open file to another, which is -1 with errno if it could not be opened. Close both. */
static int copy_open(int in, const char *from, int out, const char *to)
{
	int failed;

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

/* Return the mode of a file's copy: that of a device says who may use it, and is not the copy's. */
static mode_t mode_of(const struct stat *st)
{
	return S_ISREG(st->st_mode) ? st->st_mode & 0777 : 0644;
}

/* Warn if a file is its own copy: to open that would cut it off before it is read. */
static bool is_same(const char *from, const struct stat *a, const char *to, const struct stat *b)
{
	bool same = path_same(a, b);

	if (same)
		warnx("%s and %s are the same file", from, to);
	return same;
}

/* Copy an operand that is a file, whichever kind, by reading it. */
static int copy_file(const char *from, const struct stat *st, const char *to)
{
	struct stat old;
	int in;

	if (stat(to, &old) == 0 && is_same(from, st, to, &old))
		return 1;
	in = open(from, O_RDONLY);
	if (in >= 0)
		return copy_open(in, from, open(to, O_WRONLY | O_CREAT | O_TRUNC, mode_of(st)), to);
	warn("%s", from);
	return 1;
}

/* Go to a place. Return false after a warning. */
static bool enter(const struct place *p)
{
	bool there = path_enter(p->real, &p->st, p->path);

	if (!there)
		warn("%s", p->path);
	return there;
}

/*
 * Go to where an entry's copy goes, where it takes the place of a link: what that leads to may be
 * nobody's business. Return false after a warning.
 */
static bool make_room(const struct entry *e)
{
	struct stat old;

	if (!enter(e->copy))
		return false;
	if (lstat(e->name, &old) == 0 && S_ISLNK(old.st_mode))
		unlink(e->name); /* if it stays, that is told by who makes the copy */
	return true;
}

/* End the program if a file that was opened is not the one that was seen. */
static void check_open(int fd, const struct stat *seen, const char *path)
{
	struct stat now;

	if (S_ISCHR(seen->st_mode)) /* a device may open as another */
		return;
	if (fstat(fd, &now) < 0)
		err(1, "%s", path);
	path_must_be(&now, seen, path);
}

/* Open an entry's copy, and empty it; old tells what is there, or is NULL. Return -1 with errno. */
static int open_copy(const struct entry *e, const struct stat *old)
{
	int fd;

	if (!old)
		return open(e->name, O_WRONLY | O_CREAT | O_EXCL, mode_of(&e->st));
	fd = open(e->name, O_WRONLY);
	if (fd < 0)
		return -1;
	check_open(fd, old, e->to);
	if (!S_ISREG(old->st_mode) || ftruncate(fd, 0) == 0)
		return fd;
	close(fd);
	return -1;
}

static int copy_file_entry(const struct entry *e)
{
	int in = open(e->name, O_RDONLY);
	struct stat st, *old = &st;

	if (in < 0) {
		warn("%s", e->from);
		return 1;
	}
	check_open(in, &e->st, e->from);
	if (make_room(e)) {
		if (lstat(e->name, &st) < 0)
			old = NULL;
		if (!old || !is_same(e->from, &e->st, e->to, old))
			return copy_open(in, e->from, open_copy(e, old), e->to);
	}
	close(in);
	return 1;
}

/* Make the same symbolic link once more. */
static int copy_link(const struct entry *e)
{
	char target[PATH_MAX] = "";

	if (readlink(e->name, target, sizeof(target) - 1) < 0) {
		warn("%s", e->from);
		return 1;
	}
	if (!make_room(e))
		return 1;
	if (symlink(target, e->name) == 0)
		return 0;
	warn("%s", e->to);
	return 1;
}

/*
 * Make a directory for the copy of another, or take the one that is there, to which a link may lead
 * if so it says: *new. Its owner's bits are needed to fill it.
 */
static int make_dir(const char *name, const struct stat *st, bool follow, const char *to,
		    struct stat *new)
{
	if (mkdir(name, (st->st_mode & 0777) | 0700) < 0 && errno != EEXIST) {
		warn("%s", to);
		return 1;
	}
	if ((follow ? stat(name, new) : lstat(name, new)) == 0 && S_ISDIR(new->st_mode))
		return 0;
	warnx("%s: not a directory", to);
	return 1;
}

static int copy_entries(const struct place *from, const struct place *to);

/*
 * The copy of a tree may lie within it, and is met again then: it is not copied, for that would
 * have no end.
 */
static int copy_dir(const struct entry *e)
{
	struct place from = {.path = e->from, .st = e->st}, to = {.path = e->to};
	int failed = 1;

	if (path_same(&e->st, &made)) {
		warnx("%s: will not be copied into itself", e->from);
		return 1;
	}
	if (make_room(e) && make_dir(e->name, &e->st, false, e->to, &to.st) == 0) {
		char *a = path_join(e->in->real, e->name), *b = path_join(e->copy->real, e->name);

		from.real = a;
		to.real = b;
		failed = copy_entries(&from, &to);
		free(a);
		free(b);
	}
	return failed;
}

static int copy_entry(const struct place *from, const struct place *to, const char *name)
{
	struct entry e = {
		.in = from, .copy = to, .name = name,
		.from = path_join(from->path, name), .to = path_join(to->path, name),
	};
	int failed = 1;

	if (enter(from)) {
		if (lstat(name, &e.st) < 0)
			warn("%s", e.from);
		else if (S_ISLNK(e.st.st_mode))
			failed = copy_link(&e);
		else if (S_ISDIR(e.st.st_mode))
			failed = copy_dir(&e);
		else
			failed = copy_file_entry(&e);
	}
	free(e.from);
	free(e.to);
	return failed;
}

/* Copy a directory's entries into another. */
static int copy_entries(const struct place *from, const struct place *to)
{
	char **names;
	int failed = 0;

	if (!enter(from))
		return 1;
	names = path_names(".", NULL);
	if (!names) {
		warn("%s", from->path);
		return 1;
	}
	for (char **p = names; *p; p++)
		failed |= copy_entry(from, to, *p);
	path_names_free(names);
	return failed;
}

/* Copy an operand that is a directory, making the new one or adding to it. */
static int copy_tree(const char *from, const struct stat *st, const char *to)
{
	struct place a = {.path = from, .st = *st}, b = {.path = to};
	char *real_from, *real_to;
	int failed;

	if (make_dir(to, st, true, to, &b.st) != 0)
		return 1;
	if (path_same(st, &b.st)) {
		warnx("%s and %s are the same directory", from, to);
		return 1;
	}
	made = b.st;
	a.real = real_from = realpath(from, NULL);
	b.real = real_to = realpath(to, NULL);
	if (!real_from || !real_to)
		err(1, "%s to %s", from, to);
	failed = copy_entries(&a, &b);
	free(real_from);
	free(real_to);
	return failed;
}

/* Copy an operand, where links are followed. */
static int copy(char *from, char *to)
{
	struct stat st;

	path_back_for(from);
	path_back_for(to);
	if (stat(from, &st) < 0) {
		warn("%s", from);
		return 1;
	}
	if (!S_ISDIR(st.st_mode))
		return copy_file(from, &st, to);
	if (recursive)
		return copy_tree(from, &st, to);
	warnx("%s: is a directory (-r copies it)", from);
	return 1;
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
	return path_each_into(argv + optind, argc - optind - 1, argv[argc - 1], copy);
}
