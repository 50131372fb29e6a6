/* A private directory for the files of one run: see workdir.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tools/folder.h"
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

/* Find a file that has become as large as files may become: setrlimit(2). */
static int check_sizes(const struct workdir *w, struct complaint *why)
{
	DIR *d = opendir(w->path);
	struct rlimit limit;
	struct dirent *e;
	struct stat st;
	int bad = 0;

	getrlimit(RLIMIT_FSIZE, &limit);
	while (d && !bad && (e = readdir(d)) != NULL)
		if (fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		    S_ISREG(st.st_mode) && (rlim_t)st.st_size >= limit.rlim_cur)
			bad = complain(why, "cannot write %s/%s: %s", w->path, e->d_name,
				       strerror(EFBIG));
	if (d)
		closedir(d);
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
