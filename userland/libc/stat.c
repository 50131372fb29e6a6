/* What files are, by name and by descriptor. */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>
#include "userland/libc/libc.h"

/* Describe the file of that name. */
int stat(const char *path, struct stat *st)
{
	return __sysret(sys3(SYS_stat, (int)path, (int)st, 0));
}

/* The same, but of a symbolic link itself. */
int lstat(const char *path, struct stat *st)
{
	return __sysret(sys3(SYS_stat, (int)path, (int)st, FIND_LINK));
}

/* Describe an open file. */
int fstat(int fd, struct stat *st)
{
	return __sysret(sys2(SYS_fstat, fd, (int)st));
}

/* Make a directory. EEXIST; EPERM where nothing can be made. */
int mkdir(const char *path, mode_t mode)
{
	return __sysret(sys2(SYS_mkdir, (int)path, mode));
}

/* Set the nine permission bits, which only the owner may (EPERM). */
int chmod(const char *path, mode_t mode)
{
	return __sysret(sys2(SYS_chmod, (int)path, mode));
}

/* Set the bits that the modes of new files are without. Return the old ones. */
mode_t umask(mode_t mask)
{
	return (mode_t)sys1(SYS_umask, (int)mask);
}

/*
 * Return 0 if this user may do all of R_OK, W_OK and X_OK that mode has, or, for F_OK, if
 * the file exists. -1 with EACCES, or with what stat() sets.
 */
int access(const char *path, int mode)
{
	struct stat st;
	int allowed;

	if (stat(path, &st) < 0)
		return -1;
	allowed = st.st_uid == getuid() ? st.st_mode >> 6 : st.st_mode;
	return mode & ~allowed & (R_OK | W_OK | X_OK) ? __sysret(-EACCES) : 0;
}
