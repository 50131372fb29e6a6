/* select(2): sets of file numbers, and a time in microseconds. */
#pragma once

#include <stdint.h>

#define FD_SETSIZE 64 /* as many files as a process can have open */

typedef struct {
	uint32_t fds_bits[FD_SETSIZE / 32];
} fd_set;

#define FD_SET(fd, set) ((set)->fds_bits[(fd) / 32] |= 1u << (fd) % 32)
#define FD_CLR(fd, set) ((set)->fds_bits[(fd) / 32] &= ~(1u << (fd) % 32))
#define FD_ISSET(fd, set) ((set)->fds_bits[(fd) / 32] >> (fd) % 32 & 1)
#define FD_ZERO(set) ((set)->fds_bits[0] = (set)->fds_bits[1] = 0)

struct timeval {
	int64_t tv_sec;
	int32_t tv_usec;
};
