/* How long the machine may run: see watch.h. */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include "tools/record/plugin/watch.h"

#define CLOCK_OF_MACHINE 1 /* QEMU's number of the clock that the machine sees */

static int64_t allowed;	   /* ns; constant once the thread runs, as is all below */
static void (*at_end)(void);
/* QEMU's clocks: no part of the interface of plugins, but there if QEMU has modules. */
static int64_t (*clock_ns)(int clock);

/* Return the time since the machine has begun: its own, or the host's where QEMU does not tell. */
static int64_t machine_time(const struct timespec *begun)
{
	struct timespec now;

	if (clock_ns)
		return clock_ns(CLOCK_OF_MACHINE);
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - begun->tv_sec) * 1000000000 + now.tv_nsec - begun->tv_nsec;
}

/* End the machine when its time is over; a thread of its own. */
static void *watch(void *arg)
{
	const struct timespec often = {.tv_nsec = 500000};
	struct timespec begun;

	clock_gettime(CLOCK_MONOTONIC, &begun);
	while (machine_time(&begun) < allowed)
		nanosleep(&often, NULL);
	at_end();
	return arg;
}

bool watch_begin(int64_t ns, void (*end)(void))
{
	pthread_t thread;
	sigset_t all, old;
	bool begun;

	if (!ns)
		return true;
	allowed = ns;
	at_end = end;
	*(void **)&clock_ns = dlsym(RTLD_DEFAULT, "qemu_clock_get_ns");
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	begun = pthread_create(&thread, NULL, watch, NULL) == 0;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return begun;
}
