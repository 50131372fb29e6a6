/* system(3). newlib's own gives the status in another form, and may wait for another child. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Have the shell run a command, and return its status as waitpid(2) does. Meanwhile SIGINT and
 * SIGQUIT are for the command alone, and SIGCHLD waits.
 */
int system(const char *command)
{
	struct sigaction ignored = {.sa_handler = SIG_IGN}, interrupt, quit;
	sigset_t mask, child = 1ul << SIGCHLD;
	int status = -1;
	pid_t pid;

	if (!command)
		return access("/bin/sh", X_OK) == 0;
	sigaction(SIGINT, &ignored, &interrupt);
	sigaction(SIGQUIT, &ignored, &quit);
	sigprocmask(SIG_BLOCK, &child, &mask);
	pid = fork();
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	sigaction(SIGINT, &interrupt, NULL);
	sigaction(SIGQUIT, &quit, NULL);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	if (pid == 0) {
		execl("/bin/sh", "sh", "-c", command, NULL);
		_exit(127);
	}
	return status;
}
