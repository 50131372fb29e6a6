/* Waiting for several open files at once. */
#include <sys/select.h>
#include "userland/libc/libc.h"

/*
 * Wait until a file below nfds in one of the sets is ready, or the time is up, and leave in
 * the sets those that are. A NULL timeout waits for ever. Return how many are ready.
 */
int select(int nfds, fd_set *readfds, fd_set *writefds, fd_set *exceptfds, struct timeval *timeout)
{
	return __sysret(
		sys5(SYS_select, nfds, (int)readfds, (int)writefds, (int)exceptfds, (int)timeout));
}
