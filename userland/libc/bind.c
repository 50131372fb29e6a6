/* The namespace's calls. */
#include <sys/bind.h>
#include "userland/libc/libc.h"

/* EINVAL, ENOENT, ENOTDIR, ENOMEM: see intro(2). */
int bind(const char *name, const char *old, int flags)
{
	return __sysret(sys3(SYS_bind, (int)name, (int)old, flags));
}

/* EINVAL when name is not bound at old. */
int unmount(const char *name, const char *old)
{
	return __sysret(sys2(SYS_unmount, (int)name, (int)old));
}

/* From here on, what this process binds is its own affair and its children's. */
int rfork(int flags)
{
	return __sysret(sys1(SYS_rfork, flags));
}
