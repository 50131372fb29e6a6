/* Files by name, and what they are. */
#include "ports/libc/kernelstat.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "ports/libc/calls.h"

#define PAGE 4096

/* Turn what the kernel said of a file into newlib's words. */
static int described(int r, const struct kernel_stat *k, struct stat *st)
{
	if (__sysret(r) < 0)
		return -1;
	memset(st, 0, sizeof(*st));
	st->st_dev = k->st_dev;
	st->st_ino = k->st_ino;
	st->st_mode = k->st_mode;
	st->st_nlink = (nlink_t)k->st_nlink;
	st->st_uid = st->st_gid = (uid_t)k->st_uid;
	st->st_size = (off_t)k->st_size;
	st->st_atime = st->st_mtime = st->st_ctime = k->kernel_mtime;
	st->st_blksize = PAGE;
	st->st_blocks = (blkcnt_t)((k->st_size + 511) / 512);
	if (st->st_size >= 0 && (unsigned long long)st->st_size == k->st_size)
		return 0;
	errno = EOVERFLOW;
	return -1;
}

int stat(const char *path, struct stat *st)
{
	struct kernel_stat k;

	return described(sys2(SYS_stat, (int)path, (int)&k), &k, st);
}

int fstat(int fd, struct stat *st)
{
	struct kernel_stat k;

	return described(sys2(SYS_fstat, fd, (int)&k), &k, st);
}

/* There are no symbolic links. */
int lstat(const char *path, struct stat *st) __attribute__((alias("stat")));

int access(const char *path, int mode)
{
	struct stat st;
	int allowed;

	if (stat(path, &st) < 0)
		return -1;
	allowed = st.st_uid == getuid() ? st.st_mode >> 6 : st.st_mode;
	return mode & ~allowed & (R_OK | W_OK | X_OK) ? __sysret(-EACCES) : 0;
}

/* Store the name of the current directory; in memory of its own if buf is NULL. */
char *getcwd(char *buf, size_t n)
{
	char *to = buf;

	if (!to)
		to = malloc(n = PATH_MAX);
	if (to && __sysret(sys2(SYS_getcwd, (int)to, (int)n)) >= 0)
		return to;
	if (to != buf)
		free(to);
	return NULL;
}

/* Put a path without ".", ".." and double slashes, which has a file, into `to', or into memory. */
char *realpath(const char *path, char *to)
{
	char all[2 * PATH_MAX] = "", *rest = all, *part, *end;
	struct stat st;

	if (stat(path, &st) < 0 || (*path != '/' && !getcwd(all, PATH_MAX)))
		return NULL;
	strcat(strcat(all, "/"), path);
	if (strlen(all) >= PATH_MAX) {
		errno = ENAMETOOLONG;
		return NULL;
	}
	end = to = to ? to : malloc(PATH_MAX);
	while (to && (part = strsep(&rest, "/"))) {
		if (strcmp(part, "..") == 0) {
			while (end > to && *--end != '/')
				;
		} else if (*part && strcmp(part, ".") != 0) {
			end += sprintf(end, "/%s", part);
		}
	}
	if (to)
		strcpy(end, end == to ? "/" : "");
	return to;
}
