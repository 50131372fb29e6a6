/* Cases of bench: what goes through pipes, and waiting for many of them. */
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
static int there[2], back[2];

/* Have another process send each byte back. */
static void echo_start(void)
{
	char c;

	bench_want(pipe(there) == 0 && pipe(back) == 0, "pipe");
	if (fork() == 0) {
		close(there[1]);
		while (read(there[0], &c, 1) == 1)
			write(back[1], &c, 1);
		_exit(0);
	}
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
	wait(NULL);
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

const struct bench_case bench_pipes[] = {
	{"pipe", echo_start, echoes, close_end, .times = 200},
	{"pipeown", own_start, own_pages, NULL, .times = 100},
	{"stream", stream_start, stream, close_end, .times = 50},
	{"select", select_start, selects, NULL, .times = 100},
	{NULL},
};
