/* Waiting for several open files at once. */
#ifndef SYS_SELECT_H
#define SYS_SELECT_H

#include "kernel/abi/select.h"

#define FD_SET(fd, set) ((set)->fds_bits[(fd) / 32] |= 1u << (fd) % 32)
#define FD_CLR(fd, set) ((set)->fds_bits[(fd) / 32] &= ~(1u << (fd) % 32))
#define FD_ISSET(fd, set) ((set)->fds_bits[(fd) / 32] >> (fd) % 32 & 1)
#define FD_ZERO(set) ((set)->fds_bits[0] = (set)->fds_bits[1] = 0)

int select(int nfds, fd_set *readfds, fd_set *writefds, fd_set *exceptfds,
	   struct timeval *timeout);

#endif
