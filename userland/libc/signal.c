/* Signals: sending them, and saying which are ignored. */
#include <signal.h>
#include <unistd.h>
#include "userland/libc/libc.h"

/* Takes SIG_DFL or SIG_IGN only (EINVAL); returns what held before, or SIG_ERR. */
sighandler_t signal(int sig, sighandler_t handler)
{
	return (sighandler_t)__sysret(sys2(SYS_signal, sig, (int)handler));
}

/* Sends sig to a process, to the group -pid when pid < -1, to the own group when it is 0. */
int kill(pid_t pid, int sig)
{
	return __sysret(sys2(SYS_kill, pid, sig));
}

int raise(int sig)
{
	return kill(getpid(), sig);
}
