/* Processes: the system calls that need nothing but their arguments. */
#include <sched.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "userland/libc/libc.h"

/* The number of the child, and 0 in the child itself. */
pid_t fork(void)
{
	return __sysret(sys0(SYS_fork));
}

/* Runs another program in this process; returns only on failure. */
int execve(const char *path, char *const *argv, char *const *envp)
{
	return __sysret(sys3(SYS_execve, (int)path, (int)argv, (int)envp));
}

/* Waits for child pid, or any when it is -1; its status is for the macros of <sys/wait.h>. */
pid_t waitpid(pid_t pid, int *status, int options)
{
	return __sysret(sys3(SYS_waitpid, pid, (int)status, options));
}

pid_t wait(int *status)
{
	return waitpid(-1, status, 0);
}

/* Ends the process at once: nothing is flushed. */
void _exit(int status)
{
	for (;;)
		sys1(SYS_exit, status);
}

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

/* Moves this process (0) or a child to a group; pgid 0 is the one named like it. */
int setpgid(pid_t pid, pid_t pgid)
{
	return __sysret(sys2(SYS_setpgid, pid, pgid));
}

uid_t getuid(void)
{
	return sys0(SYS_getuid);
}

/* Only the host owner may become somebody else (EPERM); there is no way back. */
int setuid(uid_t uid)
{
	return __sysret(sys1(SYS_setuid, uid));
}

int sched_yield(void)
{
	return __sysret(sys0(SYS_sched_yield));
}
