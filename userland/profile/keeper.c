/*
 * Kprof, switched on for as long as a program lives. Between the program and its keeper is a
 * pipe into which nothing is written: it ends when the program does, whatever ends it.
 */
#include "userland/profile/keeper.h"

#include <sys/wait.h>
#include <err.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "userland/files/whole.h"

#define CTL "/dev/kpctl"

static int write_end; /* of the pipe */
static pid_t keeper;  /* 0: there is none */

/* Return whether kprof is on: that is the first word of its state. */
static bool is_on(void)
{
	size_t n;
	char *state = whole_need(CTL, &n);
	bool on = strncmp(state, "start\n", 6) == 0;

	free(state);
	return on;
}

/*
 * Be the keeper. It is in a process group of its own, where no ^C reaches it, and without the
 * program's streams, whose readers would wait for it.
 */
static void __attribute__((noreturn)) keep(const int *pipe_ends)
{
	char c;

	signal(SIGINT, SIG_IGN);
	setpgid(0, 0);
	close(pipe_ends[1]);
	close(0);
	close(1);
	while (read(pipe_ends[0], &c, 1) > 0)
		;
	whole_write(CTL, "stop");
	_exit(0);
}

void keeper_start(void)
{
	int pipe_ends[2];

	if (is_on())
		return;
	if (pipe(pipe_ends) < 0 || (keeper = fork()) < 0)
		err(1, "fork");
	if (keeper == 0)
		keep(pipe_ends);
	close(pipe_ends[0]);
	write_end = pipe_ends[1];
	whole_write(CTL, "start");
}

void keeper_end(void)
{
	if (keeper <= 0)
		return;
	close(write_end);
	waitpid(keeper, NULL, 0);
}
