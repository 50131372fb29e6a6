/* Processes. */
#ifndef KERNEL_PROC_H
#define KERNEL_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "kernel/abi/time.h"
#include "kernel/abi/wait.h"
#include "kernel/cpu.h"
#include "kernel/lock.h"

#define KSTACK_PAGES 2

enum proc_state { PROC_FREE, PROC_READY, PROC_RUNNING, PROC_WAITING, PROC_ZOMBIE };

struct proc {
	int pid;
	int pgid;
	int uid; /* UID_EVE or UID_NONE */
	char name[32];
	char *path;		/* of the program; NULL for a kernel thread */
	char *args;		/* its arguments, blank-separated; for ps */
	enum proc_state state;	/* this and all to deaf: sched.c's lock */
	struct cpu *cpu;	/* where it runs */
	struct proc *next;	/* in the ready queue or a wait queue */
	struct proc *sleepnext; /* in the list of those with a deadline */
	int wake;		/* why the wait ended: 0, -EINTR, -ETIMEDOUT */
	struct waitq *waiting;	/* the queue it is in */
	uint64_t deadline;	/* when it wakes by itself; NEVER */
	uint32_t pending;	/* signals, bit 1 << number */
	bool deaf;		/* the wait is uninterruptible */
	uint32_t ignored;	/* signals whose action is SIG_IGN */
	struct proc *parent;	/* proc.c's lock, as the next four */
	struct proc *child, *sibling;
	struct proc *all;	/* list of all processes, by pid */
	int status;		/* of a zombie, as waitpid gives it */
	struct waitq waitchild; /* where it waits for a child's end */
	uint32_t esp;		/* saved kernel stack pointer while not running */
	uint8_t *kstack;	/* lowest usable byte; a guard page lies below */
	struct trapframe *tf;	/* of the entry from user mode */
	struct vm *vm;		/* NULL for a kernel thread */
	struct ns *ns;
	struct fdtable *fds;
	struct chan *cwd;
	uint32_t text, textsize;    /* of the program; proc.c's lock, as module */
	struct profiled *profil;    /* profil.h; its own; NULL: not profiled by profil(2) */
	struct prof_module *module; /* what it counts as for prof(3); NULL: nothing */
	bool chosen;		    /* it alone was chosen for coverage, or its ancestor */
	struct prof_module *cover;  /* the same if all its instructions are counted; or NULL */
	bool stepped;		    /* it was covered since exec: see cover.c */
	uint32_t step_pc;	    /* the instruction about to be counted; 0: none */
	uint64_t utime, stime;	 /* own; cycles of the TSC, time_cycles() makes ns of them */
	uint64_t cutime, cstime; /* of children waited for */
	uint64_t stamp;		 /* when the current stretch of user or kernel time began */
};

#endif
