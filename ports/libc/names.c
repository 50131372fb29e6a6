/* Files by name, and what they are. The kernel's structs have the names of newlib's. */
#define stat kernel_stat
#define dirent kernel_dirent
#define st_mtime kernel_mtime
#include "kernel/abi/stat.h"
#undef stat
#undef dirent
#undef st_mtime
#undef S_IFMT
#undef S_IFDIR
#undef S_IFCHR
#undef S_IFREG
#undef S_IFIFO
#undef S_IFLNK
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
int lstat(const char *path, struct stat *st)
{
	return stat(path, st);
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

int mkdir(const char *path, mode_t mode)
{
	return __sysret(sys2(SYS_mkdir, (int)path, (int)mode));
}

int chmod(const char *path, mode_t mode)
{
	return __sysret(sys2(SYS_chmod, (int)path, (int)mode));
}

int unlink(const char *path)
{
	return __sysret(sys2(SYS_remove, (int)path, S_IFREG));
}

int rmdir(const char *path)
{
	return __sysret(sys2(SYS_remove, (int)path, S_IFDIR));
}

int rename(const char *from, const char *to)
{
	return __sysret(sys2(SYS_rename, (int)from, (int)to));
}

int chdir(const char *path)
{
	return __sysret(sys1(SYS_chdir, (int)path));
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

mode_t umask(mode_t mask)
{
	return (mode_t)sys1(SYS_umask, (int)mask);
}
