/* A private directory for the files of one run: see workdir.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tools/run/workdir.h"

/* Make the directory. */
int workdir_make(struct workdir *w, struct complaint *why)
{
	const char *tmp = getenv("TMPDIR");
	int n;

	n = snprintf(w->path, sizeof(w->path), "%s/gnomon-run.XXXXXX", tmp && *tmp ? tmp : "/tmp");
	if (n < (int)sizeof(w->path) && mkdtemp(w->path))
		return 0;
	complain(why, "no directory for temporary files under %s: %s", tmp && *tmp ? tmp : "/tmp",
		 strerror(errno));
	w->path[0] = 0;
	return -1;
}

/* Find the absolute path of a file that exists. */
static int absolute(const char *path, char out[static PATH_MAX], struct complaint *why)
{
	return realpath(path, out) ? 0 : complain(why, "%s: %s", path, strerror(errno));
}

/* Link to a file outside. */
int workdir_link(const struct workdir *w, const char *name, const char *target,
		 struct complaint *why)
{
	char to[PATH_MAX], link[sizeof(w->path) + 64];

	if (absolute(target, to, why) < 0)
		return -1;
	snprintf(link, sizeof(link), "%s/%s", w->path, name);
	return symlink(to, link) < 0 ? complain(why, "%s: %s", link, strerror(errno)) : 0;
}

/* Open a file in it. */
int workdir_open(const struct workdir *w, const char *name, int flags, struct complaint *why)
{
	char path[sizeof(w->path) + 64];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", w->path, name);
	fd = open(path, flags | O_CREAT | O_CLOEXEC, 0666);
	return fd < 0 ? complain(why, "%s: %s", path, strerror(errno)) : fd;
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
