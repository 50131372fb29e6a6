/* SIGALRM after some time. */
#include <errno.h>
#include <sys/time.h>
#include <unistd.h>
#include "userland/libc/libc.h"

#define SECOND 1000000000u /* ns */

/* Convert a span of time to ns. False unless it is one. */
static int to_ns(const struct timeval *tv, uint64_t *ns)
{
	*ns = (uint64_t)tv->tv_sec * SECOND + (uint64_t)tv->tv_usec * 1000;
	return tv->tv_sec >= 0 && tv->tv_sec <= INT32_MAX &&
	       tv->tv_usec >= 0 && tv->tv_usec < 1000000;
}

static struct timeval from_ns(uint64_t ns)
{
	return (struct timeval){(int64_t)(ns / SECOND), (int32_t)(ns % SECOND / 1000)};
}

/*
 * Have SIGALRM come when it_value is over, unless that is 0, and then every it_interval, unless 0.
 * *old, unless NULL, gets what was left. EINVAL: a timer that is not ITIMER_REAL, or no time.
 */
int setitimer(int which, const struct itimerval *new, struct itimerval *old)
{
	uint64_t first, every, left[2];
	int r;

	if (which != ITIMER_REAL || !to_ns(&new->it_value, &first) ||
	    !to_ns(&new->it_interval, &every))
		return __sysret(-EINVAL);
	r = __sysret(sys5(SYS_setitimer, (int)first, (int)(first >> 32), (int)every,
			  (int)(every >> 32), (int)left));
	if (r == 0 && old)
		*old = (struct itimerval){from_ns(left[1]), from_ns(left[0])};
	return r;
}

/* Have SIGALRM come after some seconds; 0: not at all. Return what was left, rounded up, or 0. */
unsigned alarm(unsigned seconds)
{
	struct itimerval new = {.it_value.tv_sec = seconds}, old = {.it_value.tv_sec = 0};

	setitimer(ITIMER_REAL, &new, &old);
	return (unsigned)old.it_value.tv_sec + (old.it_value.tv_usec > 0);
}
