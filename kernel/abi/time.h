/* times(2), nanosleep(2), clock_gettime(3). */
#pragma once

#include <stdint.h>

#define CLK_TCK 100 /* ticks a second, for struct tms and times(2)'s result */

#define CLOCK_REALTIME 0  /* since 1970, UTC */
#define CLOCK_MONOTONIC 1 /* since boot */

struct timespec {
	int64_t tv_sec;
	int32_t tv_nsec;
};

struct tms {
	uint32_t tms_utime;  /* this process, user mode, clock ticks */
	uint32_t tms_stime;  /* this process, kernel mode */
	uint32_t tms_cutime; /* its waited-for children */
	uint32_t tms_cstime;
};
