/* Which process runs: those that are ready take turns on each CPU. */
#pragma once

#include "kernel/machine/cpu.h"

/*
 * The calling context becomes this CPU's idle thread. left(p) is called when p has ended and its
 * stack is no longer used, on another stack.
 */
void sched_init(struct proc *idle, void (*left)(struct proc *p));
extern void (*sched_left)(struct proc *p); /* the same; constant */
void sched_ready(struct proc *p);
void sched_yield(void);
void sched_begin(void); /* a new process, on its own stack */
void sched_exit(void) __attribute__((noreturn)); /* this process is a zombie now */
void sched_slice(void);	       /* a system clock tick on this CPU */
int sched_give_way(void);
void sched_resched(void); /* when this CPU's resched says so */

/*
 * Let others run if the time slice is over: for loops in the kernel that a user can make long. The
 * caller may sleep. -EINTR: a signal is going to end the calling process, so the work is in vain.
 */
static inline int give_way(void)
{
	return __builtin_expect(cpu_self()->resched, 0) ? sched_give_way() : 0;
}
