/* errno, and how the result of a system call becomes it. */
#include <errno.h>
#include "userland/libc/libc.h"

int errno;

/* Return r, or -1 with errno if it is a negated error number, which is in [-4095, -1]. */
int __sysret(int r)
{
	if ((unsigned)r <= -4096u)
		return r;
	errno = -r;
	return -1;
}
