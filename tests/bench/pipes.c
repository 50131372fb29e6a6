/* Cases of bench: what goes through pipes, and waiting for many of them. */
#include <sched.h>
#include <stdlib.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/bench/bench.h"

#define PAGE 4096
#define CHUNK (64 << 10) /* bytes that are written to a stream at a time */
#define WATCHED 50	 /* descriptors to select() */

static char *block; /* of CHUNK bytes; processes beside which others are measured have none */
static int there[2], back[2], hold[2];

/* Have so many processes, or one, each send back a byte that it can read. */
static void echo_start(void)
{
	unsigned n = bench_size ? bench_size : 1;
	char c;

	bench_want(pipe(there) == 0 && pipe(back) == 0, "pipe");
	while (n-- > 0) {
		pid_t pid = fork();

		bench_want(pid >= 0, "fork");
		if (pid > 0)
			continue;
		close(there[1]);
		while (read(there[0], &c, 1) == 1)
			write(back[1], &c, 1);
		_exit(0);
	}
	sched_yield(); /* now all of them read */
}

static void echoes(unsigned n)
{
	char c = 'x';

	while (n-- > 0) {
		write(there[1], &c, 1);
		read(back[0], &c, 1);
	}
}

static void own_start(void)
{
	block = calloc(1, CHUNK);
	bench_want(block && pipe(there) == 0, "pipe");
}

/* Write a page to a pipe and read it, in one process. */
static void own_pages(unsigned n)
{
	while (n-- > 0) {
		write(there[1], block, PAGE);
		read(there[0], block, PAGE);
	}
}

/* Have another process read whatever comes. */
static void stream_start(void)
{
	own_start();
	if (fork() == 0) {
		close(there[1]);
		while (read(there[0], block, CHUNK) > 0)
			;
		_exit(0);
	}
}

static void stream(unsigned n)
{
	while (n-- > 0)
		bench_want(write(there[1], block, CHUNK) == CHUNK, "write");
}

static void close_end(void)
{
	close(there[1]);
	while (wait(NULL) > 0)
		;
}

static fd_set watched;
static int beyond; /* the last of them, and 1 */

/* Have WATCHED descriptors of a pipe in which nothing comes. */
static void select_start(void)
{
	own_start();
	for (unsigned i = 0; i < WATCHED; i++) {
		int fd = dup(there[0]);

		bench_want(fd >= 0, "dup");
		FD_SET(fd, &watched);
		beyond = fd + 1;
	}
}

static void selects(unsigned n)
{
	while (n-- > 0) {
		struct timeval none = {0, 0};
		fd_set set = watched;

		bench_want(select(beyond, &set, NULL, NULL, &none) == 0, "select");
	}
}

static int heard; /* the pipe that is written to */

/* Write when this began, each time that a byte came; do nothing but keep an end of the others. */
static void tell(int from, int to)
{
	uint64_t now;
	char c;

	close(there[1]);
	close(hold[1]);
	while (read(from, &c, 1) == 1) {
		now = bench_time();
		write(to, &now, sizeof(now));
	}
	_exit(0);
}

/* Have ends of bench_size pipes; a process has the other end of each. */
static void told_start(void)
{
	bench_want(pipe(there) == 0 && pipe(hold) == 0, "pipe");
	for (unsigned i = 0; i < bench_size; i++) {
		bench_want(pipe(back) == 0, "pipe");
		pid_t pid = fork();
		bench_want(pid >= 0, "fork");
		if (pid == 0)
			tell(i ? hold[0] : there[0], back[1]);
		close(back[1]);
		if (i == 0)
			heard = back[0];
		FD_SET(back[0], &watched);
		beyond = back[0] + 1;
	}
}

/* Wait for that, as one of many: from its write on until select() has returned. */
static void told(unsigned n)
{
	uint64_t then;
	char c = 'x';

	while (n-- > 0) {
		fd_set set = watched;

		write(there[1], &c, 1);
		bench_want(select(beyond, &set, NULL, NULL, NULL) > 0, "select");
		bench_own += bench_time();
		read(heard, &then, sizeof(then));
		bench_own -= then;
	}
}

static void told_end(void)
{
	close(hold[1]);
	close_end();
}

const struct bench_case bench_pipes[] = {
	{"pipe", echo_start, echoes, close_end, .times = 200},
	{"readers", echo_start, echoes, close_end, .times = 200, .sizes = {1, 100, 1000}},
	{"pipeown", own_start, own_pages, NULL, .times = 100},
	{"stream", stream_start, stream, close_end, .times = 50},
	{"select", select_start, selects, NULL, .times = 100},
	{"told", told_start, told, told_end, .times = 20, .sizes = {1, 50}},
	{NULL},
};
