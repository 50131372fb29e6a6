/* Signals: handlers, sets, masks, and a stack for handlers. */
#ifndef SIGNAL_H
#define SIGNAL_H

#include <sys/types.h>
#include "kernel/abi/signal.h"

/* The signals that mean nothing to the kernel; the others are in its header. */
#define SIGQUIT 3
#define SIGABRT 6
#define SIGUSR1 10
#define SIGUSR2 12
#define SIGTERM 15

typedef void (*sighandler_t)(int);
typedef unsigned long sigset_t; /* bit 1 << number for each signal */
typedef volatile int sig_atomic_t;

#define SIG_DFL ((sighandler_t)SIG_DFL_WORD)
#define SIG_IGN ((sighandler_t)SIG_IGN_WORD)
#define SIG_ERR ((sighandler_t)-1)

/* Flags beside SA_ONSTACK and SA_RESTART. */
#define SA_NODEFER 0x40	  /* the signal is not blocked in its handler */
#define SA_RESETHAND 0x80 /* the handler is called once */

struct sigaction {
	sighandler_t sa_handler;
	sigset_t sa_mask; /* what is blocked in the handler, too */
	int sa_flags;
};

typedef struct {
	void *ss_sp;
	int ss_flags; /* SS_DISABLE: there is none; SS_ONSTACK: it is in use */
	size_t ss_size;
} stack_t;

#define SS_ONSTACK 1
#define SS_DISABLE 2
#define MINSIGSTKSZ 2048
#define SIGSTKSZ 8192

/* What sigprocmask() does with the set. */
#define SIG_SETMASK 0
#define SIG_BLOCK 1
#define SIG_UNBLOCK 2

#define sigemptyset(set) (*(set) = 0, 0)
#define sigfillset(set) (*(set) = ~(sigset_t)0, 0)
#define sigaddset(set, sig) (*(set) |= (sigset_t)1 << (sig), 0)
#define sigdelset(set, sig) (*(set) &= ~((sigset_t)1 << (sig)), 0)
#define sigismember(set, sig) ((int)(*(set) >> (sig)&1))

sighandler_t signal(int sig, sighandler_t handler);
int sigaction(int sig, const struct sigaction *act, struct sigaction *old);
int sigprocmask(int how, const sigset_t *set, sigset_t *old);
int sigpending(sigset_t *set);
int sigsuspend(const sigset_t *set);
int sigaltstack(const stack_t *stack, stack_t *old);
int kill(pid_t pid, int sig);
int raise(int sig);

#endif
