/* Running another command. */
#include "userland/command/run.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static int output = 1; /* the standard output of what is run */

void run_output(const char *file)
{
	output = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	if (output < 0)
		err(1, "%s", file);
}

void run_report(void)
{
	struct stat ours, nothing;

	fflush(stdout);
	if (fstat(1, &ours) == 0 && stat("/dev/null", &nothing) == 0 &&
	    ours.st_dev == nothing.st_dev && ours.st_ino == nothing.st_ino)
		dup2(2, 1);
}

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
	if (pid == 0) {
		dup2(output, 1);
		run_exec(args);
	}
	interrupt = signal(SIGINT, SIG_IGN);
	if (waitpid(pid, &status, 0) < 0)
		err(1, "wait");
	signal(SIGINT, interrupt);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
