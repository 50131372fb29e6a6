/* Running another command. */
#include "userland/command/run.h"

#include <sys/wait.h>
#include <err.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

void run_exec(char *const *args)
{
	execvp(args[0], args);
	err(errno == ENOENT ? 127 : 126, "%s", args[0]);
}

int run_wait(char *const *args)
{
	int status;
	pid_t pid;
	void (*interrupt)(int);

	fflush(stdout); /* or the child would print it again if it fails */
	pid = fork();
	if (pid < 0)
		err(1, "fork");
	if (pid == 0)
		run_exec(args);
	interrupt = signal(SIGINT, SIG_IGN);
	if (waitpid(pid, &status, 0) < 0)
		err(1, "wait");
	signal(SIGINT, interrupt);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
