/*
 * Processes: what each has, and how they come and go; sched.h has which of them runs. "sched" and
 * "proc" name the lock that guards a field: that of the CPU which the process is with (runq.h), or
 * proc_lock.
 */
#pragma once

#include "kernel/machine/cpu.h"
#include "kernel/memory/account.h"
#include "kernel/machine/spin.h"
#include "kernel/process/skiplist.h"
#include "kernel/sched/wait.h"

enum proc_state { PROC_FREE, PROC_READY, PROC_RUNNING, PROC_WAITING, PROC_ZOMBIE };

struct proc {
	int pid;
	int pgid;
	int ppid; /* atomic; of its parent, or 1 when that has ended; the first has 0 */
	int uid; /* UID_EVE or UID_NONE */
	uint32_t umask; /* bits that the modes of new files are without */
	enum payer payer; /* pays for the process, its stack, and what it takes */
	char name[32];
	char *path;		/* of the program; NULL for a kernel thread */
	char *args;		/* its arguments, blank-separated; for ps */
	struct chan *program;	/* proc: its file, open for reading, or NULL */
	enum proc_state state;	/* sched */
	struct cpu *cpu;	/* sched, atomic: where it runs, or waits to run, or ran last */
	struct proc *next;	/* sched: in a CPU's queue */
	uint32_t since;		/* sched: the tick when it came into it */
	struct waiter waiter;	/* its place in a wait queue */
	bool nudged;		/* sched, to set it: a queue that it watches was woken */
	bool watches;		/* sched: it is in wait_for_nudge() */
	struct proc *later[2];	/* sched: below it in the heap of those with a deadline */
	struct proc **sleeping;	/* sched: what points to it there */
	int wake;		/* sched: why the wait ended: 0, -EINTR, -ETIMEDOUT, WAIT_HANDED */
	uint64_t deadline;	/* sched: when it wakes by itself, or NEVER */
	uint32_t pending;	/* sched: signals, bit 1 << number */
	bool deaf;		/* sched: the wait is uninterruptible */
	uint32_t ignored, caught, blocked; /* signals, too; it alone changes them */
	uint32_t stopped; /* a signal has stopped it: the set of SIGCONT, which it heeds; or 0 */
	int untold;	  /* proc: the status of that, until its parent has been told; or 0 */
	struct signals *signals; /* NULL: it never had a handler, nor an alarm */
	struct proc *parent;	/* proc: NULL for an orphan */
	struct proc *child;	/* proc: the first of its children that have a stack */
	struct proc *dead;	/* proc: the first of those that have none, and can be waited for */
	struct proc *sibling;	/* proc: the next in the same of its parent's lists */
	struct proc **before;	/* proc: what points to it there */
	struct skipnode by_pid, by_group; /* proc: in the lists of all */
	int status;		/* proc: of a zombie, as waitpid gives it */
	struct waitq waitchild; /* it waits here for a child to end */
	uint32_t esp;		/* saved kernel stack pointer while not running */
	uint8_t *kstack;	/* lowest usable byte; a guard page lies below */
	struct trapframe *tf;	/* of the entry from user mode */
	struct fpu *fpu;	/* its floating point while another runs; NULL: it has used none */
	struct vm *vm;		/* NULL for a kernel thread */
	struct ns *ns;
	struct fdtable *fds;
	struct chan *cwd;
	uint32_t text, textsize; /* proc: of the program */
	struct proc_prof prof;	 /* the profilers' */
	uint64_t utime;		 /* in user mode, in TSC cycles: proc_spent() */
	uint64_t cputime;	 /* on CPUs, that included */
	uint64_t cutime, cstime; /* of children waited for, in user mode and in the kernel */
	struct check_proc check;
};

/*
 * Return a process's utime or cputime so far. When a stretch of it begins, the time is taken off
 * the sum, and when it ends added: so a sum that is negative lasts. It may be another CPU's.
 */
static inline uint64_t proc_spent(const uint64_t *sum)
{
	int64_t spent;

	do
		spent = (int64_t)*(const volatile uint64_t *)sum;
	while (spent != (int64_t)*(const volatile uint64_t *)sum);
	if (spent < 0)
		spent += (int64_t)rdtsc();
	return spent < 0 ? 0 : (uint64_t)spent;
}

void proc_init(void *stack);
int proc_fork(const struct trapframe *tf, uint32_t share);
void proc_exit(int status) __attribute__((noreturn));
void proc_stopped(int status); /* the calling process is, or 0: it goes on */
int proc_kill(int id, int sig); /* id < 0: the group -id */
/* A group, by the kernel as if that user did it; from interrupt handlers too. -ESRCH, -EPERM. */
int proc_interrupt_group(int pgid, int sig, int uid);
extern struct spinlock proc_lock;
/* With it held: the first process from that pid on, or the one that has it. NULL: there is none. */
struct proc *proc_from(uint32_t pid);
struct proc *proc_find(int pid);
void proc_first(void (*fn)(void)); /* start the first process there */

/* Return whether the calling process belongs to the host owner. */
static inline bool is_eve(void)
{
	return proc_self()->uid == UID_EVE;
}

/* exec's effect on the calling process */
void proc_becomes(struct vm *vm, struct chan *program, char *path, char *args, uint32_t text,
		  uint32_t textsize);
