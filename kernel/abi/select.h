/* select(2): sets of file numbers, and a time in microseconds. */
#pragma once

#include <stdint.h>

#define FD_SETSIZE 64 /* as many files as a process can have open */

typedef struct {
	uint32_t fds_bits[FD_SETSIZE / 32];
} fd_set;

struct timeval {
	int64_t tv_sec;
	int32_t tv_usec;
};
