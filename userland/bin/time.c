/* time: runs a command and says how long it took. */
#include <sys/times.h>
#include <sys/wait.h>
#include <err.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "userland/command/usage.h"

static const char synopsis[] = "time command [argument ...]";

/* Milliseconds since boot. */
static unsigned long now(void)
{
	struct timespec t;

	if (clock_gettime(CLOCK_MONOTONIC, &t) < 0)
		err(1, "clock");
	return (unsigned long)t.tv_sec * 1000 + (unsigned long)t.tv_nsec / 1000000;
}

/* Prints milliseconds as seconds. */
static void print(const char *what, unsigned long ms)
{
	fprintf(stderr, "%s %lu.%03lu\n", what, ms / 1000, ms % 1000);
}

/* Starts the command; the caller is then deaf to ^C, so that it can still report. */
static pid_t start(char **args)
{
	pid_t pid = fork();

	if (pid < 0)
		err(1, "fork");
	if (pid == 0) {
		execvp(args[0], args);
		err(errno == ENOENT ? 127 : 126, "%s", args[0]);
	}
	signal(SIGINT, SIG_IGN);
	return pid;
}

int main(int argc, char **argv)
{
	unsigned long begin;
	struct tms t;
	int status;
	pid_t pid;

	no_options(argc, argv, synopsis);
	if (optind == argc)
		usage('?', synopsis);
	begin = now();
	pid = start(argv + optind);
	if (waitpid(pid, &status, 0) < 0)
		err(1, "wait");
	begin = now() - begin;
	times(&t);
	print("real", begin);
	print("user", (unsigned long)t.tms_cutime * (1000 / CLK_TCK));
	print("sys ", (unsigned long)t.tms_cstime * (1000 / CLK_TCK));
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
