/* Signals: sending them, and ignoring them. */
#include <signal.h>
#include <unistd.h>
#include "userland/libc/libc.h"

/*
 * Set a signal to SIG_DFL or SIG_IGN; there are no handlers (EINVAL). Return what it was, or
 * SIG_ERR.
 */
sighandler_t signal(int sig, sighandler_t handler)
{
	return (sighandler_t)__sysret(sys2(SYS_signal, sig, (int)handler));
}

/*
 * Send a signal to a process, to the group -pid if pid < -1, or to the caller's group if it
 * is 0.
 */
int kill(pid_t pid, int sig)
{
	return __sysret(sys2(SYS_kill, pid, sig));
}

/* Send a signal to this process. */
int raise(int sig)
{
	return kill(getpid(), sig);
}
