/* waitpid(2)'s status word and options, and the signals. */
#pragma once

#define WNOHANG 1

/* Status: the exit code << 8, or the signal that ended the process. */

#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGSEGV 11
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define NSIG 32

#define SIG_DFL_WORD 0 /* the process ends */
#define SIG_IGN_WORD 1 /* nothing happens; a wait on the console still ends with EINTR */
