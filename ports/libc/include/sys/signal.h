/* Signals have the kernel's numbers, which are Linux's: kernel/abi/signal.h. */
#ifndef _GNOMON_SYS_SIGNAL_H
#define _GNOMON_SYS_SIGNAL_H

#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGIOT SIGABRT
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGCHLD 17
#define SIGCLD SIGCHLD
#define SIGCONT 18
#define SIGSTOP 19
#define SIGTSTP 20
#define SIGTTIN 21
#define SIGTTOU 22
#define SIGURG 23
#define SIGXCPU 24
#define SIGXFSZ 25
#define SIGVTALRM 26
#define SIGPROF 27
#define SIGWINCH 28
#define SIGIO 29
#define SIGSYS 31
#define NSIG 32

#include_next <sys/signal.h>

#define SA_ONSTACK 0x4
#define SA_RESTART 0x10
#define SA_NODEFER 0x40
#define SA_RESETHAND 0x80

typedef _sig_func_ptr sighandler_t;

#endif
