/*
 * How long a profiler has been on, and how many of the profiling clock's ticks it was given in that
 * time. A lost tick leaves no trace in a profile, so this is the only place that knows of it.
 */
#pragma once

#include "drivers/clock/profclock.h"
#include "kernel/file/picture.h"

/*
 * All zero at first, but count; its user's lock guards it. While it is on, each number is short by
 * what the clock had counted since boot when it was switched on.
 */
struct profspan {
	/* Has the profiler begin or stop to count; NULL: there is nothing to call. Constant. */
	void (*count)(bool on);
	bool on;
	uint64_t us;
	struct clock_counts cpu[MAXCPU];
};

extern struct profspan profspan_kprof, profspan_gmon, profspan_prof; /* prof_lock */
extern const struct profspan profspan_any; /* on since boot, whichever profiler is */

/*
 * Hold the clock and begin to count, or release it and stop. Either twice is fine. May sleep. With
 * the clock at a stand, s->count(on) is called, so that clock and profiler count the same ticks.
 */
void profspan_run(struct profspan *s, bool on);
void profspan_clear(struct profspan *s); /* forget what was counted; does not stop counting */

/* Make the kernel's described block, once the clock is there: prof/prof_block.h. */
void profspan_describe(void);

/* Return what a CPU has had. */
struct clock_counts profspan_cpu(const struct profspan *s, unsigned cpu);
/* Return the sums over all CPUs. */
struct clock_counts profspan_all(const struct profspan *s);

/*
 * Show the clock's state and the span as words KEY=VALUE: a line for all CPUs, which begins
 * with prefix, then "# cpu=N ..." for each. kpstack(5) has the keys.
 */
void profspan_show(const struct profspan *s, const char *prefix, struct picture *to);
