/* The kernel's one set of profilers, and the profiling clock's call into them. */
#pragma once

#include "kernel/sched/mutex.h"
#include "prof/prof_block.h"

extern struct prof profilers; /* *prof; by this name its address is a constant */
extern struct prof *const prof; /* the kernel's one set of profilers */
extern struct prof_gmon_param _gmonparam; /* the first CPU's: the name is NetBSD's, for debuggers */
extern struct mutex prof_lock;	/* held while they are started, stopped, cleared or read */
void profilers_init(void);	/* CPU 0, once memory and the command line are there */

/* Make the sample of a tick, and hand it to the profilers `on` (stack.c). */
void statclock_sample(const void *frame, enum prof_cause what, uint32_t on);

/* Look at whether waits are counted, after what may have changed that (waits.c). */
void waits_changed(void);
void waits_forget(void); /* what was waited before they are counted next is not wanted */

/* Handle a tick when anything but kprof alone is on. */
void statclock_all(const struct trapframe *tf);

/*
 * Handle a tick of the profiling clock, from NMI too. It is inline because with kprof alone a
 * call would be a third of its work.
 */
static inline void statclock(const struct trapframe *tf)
{
	if (__builtin_expect(prof_running(&profilers) == PROF_KPROF, 1))
		prof_kprof_tick(&profilers, cpu_id(), tf->eip, tf_user(tf));
	else
		statclock_all(tf);
}
