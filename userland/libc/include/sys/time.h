/* The time of day in microseconds. */
#ifndef SYS_TIME_H
#define SYS_TIME_H

#include <sys/types.h>
#include "kernel/abi/select.h"

#define ITIMER_REAL 0 /* SIGALRM when the time is over */

struct itimerval {
	struct timeval it_interval; /* between the signals after the first; 0: there are none */
	struct timeval it_value;    /* until the first; 0: none comes */
};

int gettimeofday(struct timeval *tv, void *unused);
int setitimer(int which, const struct itimerval *new, struct itimerval *old);

#endif
