/* The names of what ticks interrupt and processes wait for: see prof_cause.h. */
#include "prof/prof_cause.h"

const char *const prof_cause_step[PROF_NCAUSE] = {
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
