/* The time of day in microseconds. */
#ifndef SYS_TIME_H
#define SYS_TIME_H

#include <sys/types.h>

struct timeval {
	time_t tv_sec;
	int32_t tv_usec;
};

int gettimeofday(struct timeval *tv, void *unused);

#endif
