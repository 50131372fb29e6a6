/* Signals end a process or are ignored; there are no handlers. */
#ifndef SIGNAL_H
#define SIGNAL_H

#include <sys/types.h>
#include "kernel/abi/wait.h"

typedef void (*sighandler_t)(int);

#define SIG_DFL ((sighandler_t)SIG_DFL_WORD)
#define SIG_IGN ((sighandler_t)SIG_IGN_WORD)
#define SIG_ERR ((sighandler_t)-1)

sighandler_t signal(int sig, sighandler_t handler);
int kill(pid_t pid, int sig);
int raise(int sig);

#endif
