/* Waiting for several open files at once. */
#ifndef SYS_SELECT_H
#define SYS_SELECT_H

#include "kernel/abi/select.h"

int select(int nfds, fd_set *readfds, fd_set *writefds, fd_set *exceptfds,
	   struct timeval *timeout);

#endif
