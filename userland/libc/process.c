/* Processes: the system calls that need nothing but their arguments. */
#include <sched.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "userland/libc/libc.h"

/* Return the child's number in the parent, and 0 in the child. */
pid_t fork(void)
{
	return __sysret(sys0(SYS_fork));
}

/* Run another program in this process. Return only on failure. */
int execve(const char *path, char *const *argv, char *const *envp)
{
	return __sysret(sys3(SYS_execve, (int)path, (int)argv, (int)envp));
}

/* Wait for child pid, or for any if it is -1. The macros of <sys/wait.h> read its status. */
pid_t waitpid(pid_t pid, int *status, int options)
{
	return __sysret(sys3(SYS_waitpid, pid, (int)status, options));
}

/* Wait for any child. */
pid_t wait(int *status)
{
	return waitpid(-1, status, 0);
}

/* End the process at once: nothing is flushed. */
void _exit(int status)
{
	for (;;)
		sys1(SYS_exit, status);
}

/* As _exit(). */
void _Exit(int status)
{
	_exit(status);
}

pid_t getpid(void)
{
	return sys0(SYS_getpid);
}

pid_t getppid(void)
{
	return sys0(SYS_getppid);
}

/*
 * Move this process (0) or a child to a group. Group 0 is the one with the process's own
 * number.
 */
int setpgid(pid_t pid, pid_t pgid)
{
	return __sysret(sys2(SYS_setpgid, pid, pgid));
}

uid_t getuid(void)
{
	return sys0(SYS_getuid);
}

/* Become another user, which only the host owner may (EPERM). There is no way back. */
int setuid(uid_t uid)
{
	return __sysret(sys1(SYS_setuid, uid));
}

/* Let other processes run first. */
int sched_yield(void)
{
	return __sysret(sys0(SYS_sched_yield));
}
