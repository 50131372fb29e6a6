/* The names of what ticks interrupt and processes wait for: see prof_what.h. */
#include "prof/prof_what.h"

const char *const prof_what_step[PROF_NWHAT] = {
	[PROF_KERNEL] = "[kernel]",
	[PROF_IDLE] = "[idle]",
	[PROF_USER] = "[user]",
	[PROF_INTERRUPT] = "[interrupt]",
	[PROF_IN_USE] = "[in_use]",
	[PROF_FREED] = "[freed]",
	[PROF_DEVICE] = "[device]",
	[PROF_PIPE] = "[pipe]",
	[PROF_SLEEP] = "[sleep]",
	[PROF_CHILD] = "[child]",
	[PROF_LOCK] = "[lock]",
	[PROF_READY] = "[ready]",
};
