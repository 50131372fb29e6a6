/* What files are, by name and by descriptor. */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>
#include "userland/libc/libc.h"

/* What the file of that name is. */
int stat(const char *path, struct stat *st)
{
	return __sysret(sys2(SYS_stat, (int)path, (int)st));
}

/* What an open file is. */
int fstat(int fd, struct stat *st)
{
	return __sysret(sys2(SYS_fstat, fd, (int)st));
}

/* Makes a folder. EEXIST; EPERM where nothing can be made. */
int mkdir(const char *path, mode_t mode)
{
	return __sysret(sys2(SYS_mkdir, (int)path, mode));
}

/* Sets the nine permission bits; the owner's alone (EPERM). */
int chmod(const char *path, mode_t mode)
{
	return __sysret(sys2(SYS_chmod, (int)path, mode));
}

/* Whether the mode of a file lets this user do all of R_OK, W_OK, X_OK; F_OK: it is there. */
int access(const char *path, int mode)
{
	struct stat st;
	int allowed;

	if (stat(path, &st) < 0)
		return -1;
	allowed = st.st_uid == getuid() ? st.st_mode >> 6 : st.st_mode;
	return mode & ~allowed & (R_OK | W_OK | X_OK) ? __sysret(-EACCES) : 0;
}
