/* Removing and renaming, and the current folder. */
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include "userland/libc/libc.h"

/* Removes a file or an empty folder. */
int remove(const char *path)
{
	return __sysret(sys1(SYS_remove, (int)path));
}

/* As remove, but never a folder (EISDIR). */
int unlink(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return -1;
	return S_ISDIR(st.st_mode) ? __sysret(-EISDIR) : remove(path);
}

/* As remove, but only a folder (ENOTDIR). */
int rmdir(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return -1;
	return S_ISDIR(st.st_mode) ? remove(path) : __sysret(-ENOTDIR);
}

/* What had the new name is gone. EXDEV between devices. */
int rename(const char *from, const char *to)
{
	return __sysret(sys2(SYS_rename, (int)from, (int)to));
}

/* Names that do not begin with a slash or # are looked up from there on. */
int chdir(const char *path)
{
	return __sysret(sys1(SYS_chdir, (int)path));
}

/* The path of the current folder; buf must not be NULL. */
char *getcwd(char *buf, size_t size)
{
	return __sysret(sys2(SYS_getcwd, (int)buf, size)) < 0 ? NULL : buf;
}
