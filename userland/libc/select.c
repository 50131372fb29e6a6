/* Waiting for several open files at once. */
#include <sys/select.h>
#include "userland/libc/libc.h"

int select(int nfds, fd_set *readfds, fd_set *writefds, fd_set *exceptfds, struct timeval *timeout)
{
	return __sysret(
		sys5(SYS_select, nfds, (int)readfds, (int)writefds, (int)exceptfds, (int)timeout));
}
