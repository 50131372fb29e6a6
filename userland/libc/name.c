/* Removing and renaming files, and the current directory. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include "userland/libc/libc.h"

/* Remove a file or an empty directory. */
int remove(const char *path)
{
	return __sysret(sys2(SYS_remove, (int)path, 0));
}

/* As remove(), but not a directory (EISDIR). */
int unlink(const char *path)
{
	return __sysret(sys2(SYS_remove, (int)path, S_IFREG));
}

/* As remove(), but only a directory (ENOTDIR). */
int rmdir(const char *path)
{
	return __sysret(sys2(SYS_remove, (int)path, S_IFDIR));
}

/* Give a file another name. What had that name is removed. EXDEV between devices. */
int rename(const char *from, const char *to)
{
	return __sysret(sys2(SYS_rename, (int)from, (int)to));
}

/* Set the directory where names are looked up that do not begin with a slash or #. */
int chdir(const char *path)
{
	return __sysret(sys1(SYS_chdir, (int)path));
}

/*
 * Store the path of the current directory and return buf, which must not be NULL. NULL with
 * ERANGE.
 */
char *getcwd(char *buf, size_t size)
{
	return __sysret(sys3(SYS_realpath, (int)".", (int)buf, size)) < 0 ? NULL : buf;
}
