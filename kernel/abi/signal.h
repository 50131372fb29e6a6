/* The signals that the kernel sends or treats apart, numbered as Linux's, and flags of handlers. */
#pragma once

#define SIGHUP 1
#define SIGINT 2
#define SIGILL 4
#define SIGTRAP 5
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGSEGV 11
#define SIGPIPE 13
#define SIGALRM 14
#define SIGCHLD 17
#define SIGCONT 18
#define SIGSTOP 19
#define SIGTSTP 20
#define NSIG 32

/*
 * The process ends, but SIGSTOP and SIGTSTP stop it, until SIGCONT comes, whatever it wants done
 * about that. Nothing else happens for SIGCONT, and nothing at all for SIGCHLD.
 */
#define SIG_DFL_WORD 0
#define SIG_IGN_WORD 1 /* nothing happens; a wait on the console still ends with EINTR */

/* Flags of SYS_sigaction. A set of signals has bit 1 << number for each. */
#define SA_ASK 0x1     /* only tell what is set */
#define SA_ONSTACK 0x4 /* the handler has the stack of sigaltstack(2), if there is one */
#define SA_RESTART 0x10 /* a system call that it interrupts is made again */
