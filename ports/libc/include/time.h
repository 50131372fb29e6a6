/* The kernel's numbers of clocks, as in kernel/abi/time.h, and timegm(3). */
#ifndef _GNOMON_TIME_H
#define _GNOMON_TIME_H

#include_next <time.h>

#undef CLOCK_REALTIME_COARSE
#undef CLOCK_REALTIME
#undef CLOCK_MONOTONIC
#define CLOCK_REALTIME ((clockid_t)0)
#define CLOCK_MONOTONIC ((clockid_t)1)

time_t timegm(struct tm *tm);

#endif
