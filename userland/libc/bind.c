/* The calls of the namespace. */
#include <sys/bind.h>
#include "userland/libc/libc.h"

/* Show at `old' what `name' is. EINVAL, ENOENT, ENOTDIR, ENOMEM: see bind(2). */
int bind(const char *name, const char *old, int flags)
{
	return __sysret(sys3(SYS_bind, (int)name, (int)old, flags));
}

/* Undo a bind. EINVAL if name is not bound at old. */
int unmount(const char *name, const char *old)
{
	return __sysret(sys2(SYS_unmount, (int)name, (int)old));
}

/* Give this process a namespace of its own, which its children share from now on. */
int rfork(int flags)
{
	return __sysret(sys1(SYS_rfork, flags));
}
