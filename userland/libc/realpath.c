/* realpath(3). */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "userland/libc/libc.h"

/* Store the path to a file without links, "." and ".."; in memory of its own if `to' is NULL. */
char *realpath(const char *path, char *to)
{
	char name[PATH_MAX];

	if (__sysret(sys3(SYS_realpath, (int)path, (int)name, sizeof(name))) < 0)
		return NULL;
	return to ? strcpy(to, name) : strdup(name);
}
