/* Variables of the kernel, which are files below /sysctl. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysctl.h>
#include <unistd.h>
#include "userland/libc/libc.h"

#define ROOT "/sysctl/"
#define NAME_SIZE 64
#define NAME_PATH_SIZE (sizeof(ROOT) + NAME_SIZE)

/* The variables that have numbers, too: those of NetBSD's kgmon. */
static const char *const gprof_name[] = {
	[GPROF_STATE] = "kern.profiling.state",		[GPROF_COUNT] = "kern.profiling.count",
	[GPROF_FROMS] = "kern.profiling.froms",		[GPROF_TOS] = "kern.profiling.tos",
	[GPROF_GMONPARAM] = "kern.profiling.gmonparam",
};

/*
 * Make the path of a name, in which dots become slashes. -1 with ENOENT for an impossible
 * name.
 */
static int path_of(const char *name, char path[NAME_PATH_SIZE])
{
	size_t n = strlen(name), i;
	char *p = path + sizeof(ROOT) - 1;

	/* No part may be empty, so neither ".." nor an absolute path gets through. */
	if (n == 0 || n >= NAME_SIZE || name[0] == '.' || name[n - 1] == '.' ||
	    strstr(name, "..") || strchr(name, '/'))
		return __sysret(-ENOENT);
	memcpy(path, ROOT, sizeof(ROOT) - 1);
	for (i = 0; i <= n; i++)
		p[i] = name[i] == '.' ? '/' : name[i];
	return 0;
}

/* Read until n bytes or the end. Return how many, or -1. */
static ssize_t read_all(int fd, char *buf, size_t n)
{
	size_t got = 0;
	ssize_t r;

	while (got < n && (r = read(fd, buf + got, n - got)) != 0) {
		if (r < 0)
			return -1;
		got += r;
	}
	return got;
}

/* Read to the end and return how many bytes there were, or -1. */
static ssize_t count_rest(int fd)
{
	char buf[512];
	size_t got = 0;
	ssize_t r;

	while ((r = read(fd, buf, sizeof(buf))) > 0)
		got += r;
	return r < 0 ? r : (ssize_t)got;
}

/*
 * Read the value into old, *lenp bytes large, or only its length if old is NULL. ENOMEM if
 * it does not fit.
 */
static int read_value(int fd, void *old, size_t *lenp)
{
	ssize_t got = old ? read_all(fd, old, *lenp) : count_rest(fd);
	char more;

	if (got < 0)
		return -1;
	if (old && (size_t)got == *lenp && read(fd, &more, 1) == 1)
		return __sysret(-ENOMEM);
	*lenp = got;
	return 0;
}

/* Read the variable in that file. The error of reading is kept over that of closing. */
static int get(const char *path, void *old, size_t *lenp)
{
	int fd = open(path, O_RDONLY), r, why;

	if (fd < 0)
		return -1;
	r = read_value(fd, old, lenp);
	why = errno;
	close(fd);
	errno = why;
	return r;
}

/* Write a value. EINVAL if not all of it was taken, since a variable is set in one write. */
static int set(const char *path, const void *value, size_t n)
{
	int fd = open(path, O_WRONLY), why;
	ssize_t r;

	if (fd < 0) {
		/* sysctl(3): the error of setting without permission is EPERM. */
		if (errno == EACCES)
			errno = EPERM;
		return -1;
	}
	r = write(fd, value, n);
	why = r >= 0 ? EINVAL : errno;
	close(fd);
	errno = why;
	return r == (ssize_t)n ? 0 : -1;
}

/* Read a variable, then set it. An old value that does not fit changes nothing. */
int sysctlbyname(const char *name, void *old, size_t *oldlenp, const void *new_, size_t newlen)
{
	char path[NAME_PATH_SIZE];
	struct stat st;

	if (path_of(name, path) < 0 || stat(path, &st) < 0)
		return -1;
	if (S_ISDIR(st.st_mode))
		return __sysret(-EISDIR);
	if (oldlenp && get(path, old, oldlenp) < 0)
		return -1;
	return new_ ? set(path, new_, newlen) : 0;
}

/* As sysctlbyname(), by number. */
int sysctl(const int *name, unsigned namelen, void *old, size_t *oldlenp, const void *new_,
	   size_t newlen)
{
	if (namelen < 2 || namelen > CTL_MAXNAME)
		return __sysret(-EINVAL);
	if (name[0] != CTL_KERN || name[1] != KERN_PROF)
		return __sysret(-ENOENT);
	if (namelen == 2)
		return __sysret(-EISDIR);
	if (namelen > 3 || name[2] < GPROF_STATE || name[2] > GPROF_GMONPARAM)
		return __sysret(-ENOENT);
	return sysctlbyname(gprof_name[name[2]], old, oldlenp, new_, newlen);
}
