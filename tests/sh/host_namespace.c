/* Stands in for Gnomon's namespace calls when the shell is built for the host. */
#include <errno.h>
#include <sys/bind.h>

int rfork(int flags)
{
	(void)flags;
	errno = ENOSYS;
	return -1;
}
