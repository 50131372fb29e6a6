/* Processor time used, in clock ticks (CLK_TCK a second). */
#ifndef SYS_TIMES_H
#define SYS_TIMES_H

#include <sys/types.h>
#include "kernel/abi/time.h"

clock_t times(struct tms *buf); /* ticks since boot; buf may be NULL */

#endif
