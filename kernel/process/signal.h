/* What a process has its signals do: handlers, masks, alarms. */
#pragma once

#include "kernel/abi/signal.h"
#include "kernel/process/skiplist.h"

#define SIGNAL_BIT(sig) (1u << (sig))
#define IGNORED_BY_DEFAULT (SIGNAL_BIT(SIGCHLD) | SIGNAL_BIT(SIGCONT))
#define SIGNALS_STOP (SIGNAL_BIT(SIGSTOP) | SIGNAL_BIT(SIGTSTP))

/* A process has it from its first handler, stack for handlers or alarm on. */
struct signals {
	uint32_t entry;		  /* where handlers are entered */
	uint8_t flags[NSIG];	  /* SA_ bits of the handler of each */
	uint32_t mask[NSIG];	  /* sets: what is blocked in the handler of each */
	uint32_t base, size;	  /* of a stack for handlers; of size 0: none */
	struct skipnode alarm;	  /* alarm_lock; its key is the time, or 0 */
	uint64_t every;		  /* alarm_lock; ns from one alarm to the next, or 0 */
};

struct proc;

/*
 * Send sig to a process if one of that user may: 0, -EPERM, -ESRCH for a zombie. The first process
 * must not end, so it gets no signals. The caller holds proc_lock.
 */
int signal_send(struct proc *p, int sig, int uid);
bool signal_fork(struct proc *child); /* handles them as the caller does. False: no memory */
void signal_exec(void);		      /* the calling process forgets its handlers */
void signal_exit(struct proc *p);     /* no alarm comes any more */
void signal_deliver(void); /* what is pending for the calling process; it may end */
