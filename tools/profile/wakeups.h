/*
 * Why processes of a time line did not run, and who woke them: kptrace(5) has that where changes of
 * process are recorded. The page finds the same by itself, in page/waits.js.
 */
#ifndef TOOLS_PROFILE_WAKEUPS_H
#define TOOLS_PROFILE_WAKEUPS_H

#include <stddef.h>
#include <stdint.h>
#include "tools/profile/profdata.h"

/* What ended a wait. */
enum waker {
	WAKER_NONE,	 /* there was no wait: the process was ready all the time */
	WAKER_UNKNOWN,	 /* that is not recorded */
	WAKER_INTERRUPT, /* of a device, or the clock */
	WAKER_PROCESS,
};

/* A time in which a process did not run. What is outside of the part that was chosen is cut off. */
struct wakeup {
	uint32_t pid, process; /* its number, and its name when it runs again */
	uint8_t cause;	       /* the mode of what it waited for; PROFDATA_READY: for nothing */
	enum waker waker;
	uint32_t by_pid, by; /* the process that woke it, and its name then */
	uint64_t waited;     /* until it was woken */
	uint64_t ready;	     /* from then on until it ran */
};

/*
 * Find those of all processes: *n of them, which the caller frees. Of a process that ran no more
 * they have nothing, nor of one that had not run before.
 */
struct wakeup *wakeups_find(const struct profdata *p, size_t *n);

#endif
