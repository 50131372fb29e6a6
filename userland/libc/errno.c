/* errno, and how a system call's result becomes it. */
#include <errno.h>
#include "userland/libc/libc.h"

int errno;

/* The result of a system call as C has it: -1, with errno, for [-4095, -1]. */
int __sysret(int r)
{
	if ((unsigned)r <= -4096u)
		return r;
	errno = -r;
	return -1;
}
