/* The time of day in microseconds. */
#ifndef SYS_TIME_H
#define SYS_TIME_H

#include <sys/types.h>
#include "kernel/abi/select.h"

int gettimeofday(struct timeval *tv, void *unused);

#endif
