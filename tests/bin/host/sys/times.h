/* The host's <sys/times.h>, and what Gnomon's says about the length of a tick. */
#ifndef HOST_SYS_TIMES_H
#define HOST_SYS_TIMES_H

#include_next <sys/times.h>

#undef CLK_TCK
#define CLK_TCK 100

#endif
