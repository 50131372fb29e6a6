/*
 * Processes: what each has, how they come and go, and which of them runs. "sched" and "proc" name
 * the lock that guards a field: that of the CPU which the process is with (sched.c), or proc_lock.
 */
#pragma once

#include "kernel/abi/time.h"
#include "kernel/abi/wait.h"
#include "kernel/account.h"
#include "kernel/cpu.h"
#include "kernel/lock.h"
#include "kernel/skiplist.h"

#define KSTACK_PAGES 2

enum proc_state { PROC_FREE, PROC_READY, PROC_RUNNING, PROC_WAITING, PROC_ZOMBIE };

struct proc {
	int pid;
	int pgid;
	int ppid; /* atomic; of its parent, or 1 when that has ended; the first has 0 */
	int uid; /* UID_EVE or UID_NONE */
	struct account *account; /* pays for the process and its stack */
	uint32_t named; /* a number for its name, which no other has; changes first */
	char name[32];
	char *path;		/* of the program; NULL for a kernel thread */
	char *args;		/* its arguments, blank-separated; for ps */
	struct chan *program;	/* proc: its file, open for reading, or NULL: see proc_program() */
	enum proc_state state;	/* sched */
	struct cpu *cpu;	/* sched, atomic: where it runs, or waits to run, or ran last */
	struct proc *next;	/* sched: in a CPU's queue */
	uint32_t since;		/* sched: the tick when it came into it */
	struct proc *waitnext;	/* in a wait queue, with the lock that guards that */
	struct waitq *waiting;	/* the same: the queue it is in, or NULL */
	struct proc *sleepnext; /* sched: in the list of those with a deadline */
	int wake;		/* sched: why the wait ended: 0, -EINTR, -ETIMEDOUT */
	uint64_t deadline;	/* sched: when it wakes by itself, or NEVER */
	uint32_t pending;	/* sched: signals, bit 1 << number */
	bool deaf;		/* sched: the wait is uninterruptible */
	uint32_t ignored;	/* signals whose action is SIG_IGN */
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
	struct vm *vm;		/* NULL for a kernel thread */
	struct ns *ns;
	struct fdtable *fds;
	struct chan *cwd;
	uint32_t text, textsize; /* proc: of the program */
	struct proc_prof prof;	 /* the profilers' */
	uint64_t utime, stime;	 /* its own, in TSC cycles */
	uint64_t cutime, cstime; /* of children waited for */
	uint64_t stamp;		 /* when the current stretch of user or kernel time began */
	uint64_t left;		 /* when it was last taken off a CPU */
	uint64_t woken;		 /* sched: when its last wait ended, if waits are profiled */
	struct check_proc check;
};

/* Add the time since p's stamp to one of its sums, and return the time. */
static inline uint64_t proc_charge(struct proc *p, uint64_t *sum)
{
	uint64_t now = rdtsc(), spent = now - p->stamp;

	__asm__("" : "+r"(spent)); /* or the compiler adds first, which takes more registers */
	*sum += spent;
	return now;
}

/* proc.c */
void proc_init(void *stack);
extern uint8_t boot_stack[]; /* behind a guard page */
int proc_fork(const struct trapframe *tf, uint32_t share);
int proc_wait(int pid, int *status, int options);
void proc_exit(int status) __attribute__((noreturn));
int proc_kill(int id, int sig); /* id < 0: the group -id */
/* A group, by the kernel as if that user did it; from interrupt handlers too. -ESRCH, -EPERM. */
int proc_interrupt_group(int pgid, int sig, int uid);
int proc_setpgid(int pid, int pgid);
extern struct spinlock proc_lock;
/* With it held: the first process from that pid on, or the one that has it. NULL: there is none. */
struct proc *proc_from(uint32_t pid);
struct proc *proc_find(int pid);
void start_init(const char *path); /* the first process */

/* Return the account of the calling process. Before there are processes, the owner pays. */
static inline struct account *account_self(void)
{
	const struct proc *p = proc_self();

	return p ? p->account : ACCOUNT_OWNER;
}

void proc_left(struct proc *p); /* p is dead and no longer on its stack */
/* exec's effect on the calling process */
void proc_becomes(struct vm *vm, char *path, char *args, uint32_t text, uint32_t textsize);
void proc_program(struct chan *c); /* becomes the calling process's; NULL: none */
int proc_setuid(int uid);
void proc_signalled(void); /* ends the calling process if a pending signal says so */

/* sched.c */
void sched_init(struct proc *idle); /* the calling context becomes the idle thread */
void sched_ready(struct proc *p);
void sched_yield(void);
void sched_begin(void); /* a new process, on its own stack */
void sched_exit(void) __attribute__((noreturn)); /* this process is a zombie now */
void sched_loop(void) __attribute__((noreturn)); /* the idle thread of each CPU */
void idle_hold(void); /* CPU 0 does not halt until idle_release() */
void idle_release(void);
void sched_slice(void);	       /* a system clock tick on this CPU */
void sched_tick(uint64_t now); /* wakes sleepers */
void sched_signal(struct proc *p, int sig); /* pending; wakes it if need be */
void sched_forget(uint32_t sig); /* the calling process ignores it now */
int sleep_until(uint64_t deadline);
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

/* elf.c: run another program in the calling process */
struct args;
int exec(struct args *a, struct trapframe *tf);

/* syscall.c */
bool is_eve(void); /* the calling process belongs to the host owner */
