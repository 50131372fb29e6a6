/* What of POSIX there is beyond what newlib believes. */
#ifndef _GNOMON_SYS_FEATURES_H
#define _GNOMON_SYS_FEATURES_H

#include_next <sys/features.h>

#define _POSIX_TIMERS 1
#define _POSIX_MONOTONIC_CLOCK 200112L

#endif
