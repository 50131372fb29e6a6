/* Signals: sending them, and sets of them. */
#include <errno.h>
#include <signal.h>
#include <unistd.h>
#include "userland/libc/libc.h"

/* Tell the kernel's mask of signals, and what is pending of them, and change it. */
static int change_mask(sigset_t clear, sigset_t set, sigset_t told[2])
{
	return __sysret(sys3(SYS_sigprocmask, (int)clear, (int)set, (int)told));
}

/* Change which signals are blocked, unless set is NULL. EINVAL. */
int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
	sigset_t told[2], clear = how == SIG_SETMASK ? ~0ul : 0;
	int r;

	if (how < SIG_SETMASK || how > SIG_UNBLOCK)
		return __sysret(-EINVAL);
	if (!set)
		r = change_mask(0, 0, told);
	else if (how == SIG_UNBLOCK)
		r = change_mask(*set, 0, told);
	else
		r = change_mask(clear, *set, told);
	if (old)
		*old = told[0];
	return r;
}

/* Tell which signals have come, but are blocked. */
int sigpending(sigset_t *set)
{
	sigset_t told[2];
	int r = change_mask(0, 0, told);

	*set = told[1];
	return r;
}

/* Block just those signals until a handler has been called: -1, EINTR. */
int sigsuspend(const sigset_t *set)
{
	return __sysret(sys1(SYS_sigsuspend, (int)*set));
}

/* Wait until a handler has been called: -1, EINTR. */
int pause(void)
{
	sigset_t now;

	sigprocmask(SIG_BLOCK, NULL, &now);
	return sigsuspend(&now);
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
