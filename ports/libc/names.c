/* Files by name, and what they are. */
#include "ports/libc/kernelstat.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>
#include "ports/libc/calls.h"

/* Turn what the kernel said of a file into newlib's words. */
static int described(int r, const struct kernel_stat *k, struct stat *st)
{
	if (__sysret(r) < 0)
		return -1;
	*st = (struct stat){
		.st_dev = k->st_dev, .st_ino = k->st_ino, .st_mode = k->st_mode,
		.st_nlink = (nlink_t)k->st_nlink, .st_uid = (uid_t)k->st_uid,
		.st_gid = (gid_t)k->st_uid, .st_size = (off_t)k->st_size, .st_blksize = 4096,
		.st_blocks = (blkcnt_t)((k->st_size + 511) / 512), .st_atime = k->kernel_mtime,
		.st_mtime = k->kernel_mtime, .st_ctime = k->kernel_mtime,
	};
	return k->st_size <= INT_MAX ? 0 : __sysret(-EOVERFLOW);
}

int stat(const char *path, struct stat *st)
{
	struct kernel_stat k;

	return described(sys3(SYS_stat, (int)path, (int)&k, 0), &k, st);
}

int lstat(const char *path, struct stat *st)
{
	struct kernel_stat k;

	return described(sys3(SYS_stat, (int)path, (int)&k, FIND_LINK), &k, st);
}

int fstat(int fd, struct stat *st)
{
	struct kernel_stat k;

	return described(sys2(SYS_fstat, fd, (int)&k), &k, st);
}

/* Set the time of a file's last change; there is no other. NULL: now. */
int utime(const char *path, const struct utimbuf *times)
{
	time_t to = times ? times->modtime : time(NULL);
	int fd = open(path, O_RDONLY), r;

	if (fd < 0)
		return -1;
	r = __sysret(sys5(SYS_fset, fd, FSET_MTIME, (int)to, (int)(to >> 32), 0));
	close(fd);
	return r;
}

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
	if (to && __sysret(sys3(SYS_realpath, (int)".", (int)to, (int)n)) >= 0)
		return to;
	if (to != buf)
		free(to);
	return NULL;
}

/* Store the path to a file without links, "." and ".."; in memory of its own if `to' is NULL. */
char *realpath(const char *path, char *to)
{
	char name[PATH_MAX];

	if (__sysret(sys3(SYS_realpath, (int)path, (int)name, sizeof(name))) < 0)
		return NULL;
	return to ? strcpy(to, name) : strdup(name);
}
