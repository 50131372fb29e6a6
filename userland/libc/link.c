/* Names that lead to other files: link(2), symlink(2) and readlink(2). */
#include <unistd.h>
#include "userland/libc/libc.h"

/* Give a file another name. */
int link(const char *path, const char *newpath)
{
	return __sysret(sys2(SYS_link, (int)path, (int)newpath));
}

/* Make a symbolic link, whose target need not exist. */
int symlink(const char *target, const char *path)
{
	return __sysret(sys2(SYS_symlink, (int)target, (int)path));
}

/* Get at most n bytes of a link's target, without a NUL. Return how many. */
ssize_t readlink(const char *path, char *buf, size_t n)
{
	return __sysret(sys3(SYS_readlink, (int)path, (int)buf, (int)n));
}
