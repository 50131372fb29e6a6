/* A private directory for the files of one run: see workdir.h. */
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tools/folder.h"
#include "tools/env.h"
#include "tools/run/workdir.h"

/* Make the directory. */
int workdir_make(struct workdir *w, struct complaint *why)
{
	const char *tmp = env_or("TMPDIR", "/tmp");
	int n;

	n = snprintf(w->path, sizeof(w->path), "%s/gnomon-run.XXXXXX", tmp);
	if (n < (int)sizeof(w->path) && mkdtemp(w->path))
		return 0;
	complain(why, "no directory for temporary files under %s: %s", tmp, strerror(errno));
	w->path[0] = 0;
	return -1;
}

/* Find the absolute path of a file that exists. */
static int absolute(const char *path, char out[static PATH_MAX], struct complaint *why)
{
	if (!realpath(path, out))
		return complain_errno(why, path);
	return 0;
}

/* Link to a file outside. */
int workdir_link(const struct workdir *w, const char *name, const char *target,
		 struct complaint *why)
{
	char to[PATH_MAX], link[sizeof(w->path) + 64];

	if (absolute(target, to, why) < 0)
		return -1;
	snprintf(link, sizeof(link), "%s/%s", w->path, name);
	if (symlink(to, link) < 0)
		return complain_errno(why, link);
	return 0;
}

/* Open a file in it. */
int workdir_open(const struct workdir *w, const char *name, int flags, struct complaint *why)
{
	char path[sizeof(w->path) + 64];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", w->path, name);
	fd = open(path, flags | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		return complain_errno(why, path);
	return fd;
}

/* Return whether a file of a directory has that size, or a larger one. */
static bool is_full(DIR *d, const char *name, rlim_t size)
{
	struct stat st;

	if (fstatat(dirfd(d), name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return false;
	if (!S_ISREG(st.st_mode))
		return false;
	return (rlim_t)st.st_size >= size;
}

/* Find a file that has become as large as files may become: setrlimit(2). */
static int check_sizes(const struct workdir *w, struct complaint *why)
{
	DIR *d = opendir(w->path);
	struct rlimit limit;
	struct dirent *e;
	int bad = 0;

	if (!d)
		return 0;
	getrlimit(RLIMIT_FSIZE, &limit);
	while (!bad && (e = readdir(d)) != NULL)
		if (is_full(d, e->d_name, limit.rlim_cur))
			bad = complain(why, "cannot write %s/%s: %s", w->path, e->d_name,
				       strerror(EFBIG));
	closedir(d);
	return bad;
}

/* Copy an open file of that name to its end. Return 0, or -1 and *why. */
static int copy_all(int fd, const char *name, struct outfile *o, struct complaint *why)
{
	char buf[65536];
	ssize_t n;

	for (;;) {
		n = read(fd, buf, sizeof(buf));
		if (n < 0)
			return complain_errno(why, name);
		if (n == 0)
			return 0;
		if (outfile_write(o, buf, (size_t)n, why) < 0)
			return -1;
	}
}

/* Append a file of the directory to one that is open. */
int workdir_copy(const struct workdir *w, const char *name, struct outfile *o,
		 struct complaint *why)
{
	int fd = workdir_open(w, name, O_RDONLY, why), bad;

	if (fd < 0)
		return -1;
	bad = copy_all(fd, name, o, why);
	close(fd);
	return bad;
}

/* A limit below what folder_room() writes is found by it. */
int workdir_room(const struct workdir *w, struct complaint *why)
{
	struct complaint what;

	if (folder_room(w->path, &what) < 0)
		return complain(why, "%s; TMPDIR names another place for temporary files",
				what.text);
	return check_sizes(w, why);
}

/* Remove the directory and the files in it. */
void workdir_remove(struct workdir *w)
{
	struct dirent *e;
	DIR *d;

	if (!w->path[0])
		return;
	d = opendir(w->path);
	while (d && (e = readdir(d)) != NULL)
		unlinkat(dirfd(d), e->d_name, 0);
	if (d)
		closedir(d);
	rmdir(w->path);
	w->path[0] = 0;
}
