/* Random system calls: the kernel lives, and loses no memory. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/bind.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "userland/libc/libc.h"
#include "tests/guest/tap.h"

#define CALLS 3000 /* of each process */
#define PROCESSES 12
#define DONE 42 /* exit status */

static char area[3 * 4096]; /* what pointers mostly point to */
static uint32_t seed;
static int left = CALLS; /* of this process, whatever leads it back to run(), as a handler may */

/* Return the next pseudo-random number below n. */
static uint32_t pick(uint32_t n)
{
	return (uint32_t)((uint64_t)tap_random(&seed) * n >> 24);
}

/* Return a word that a call may trip over. */
static int odd_word(void)
{
	static const uint32_t words[] = {
		0, 1, 2, 3, 7, 63, 64, 4095, 4096, 65536, 0x7fffffff, 0x80000000, 0xffffffff,
		0xfffff000, 0xc0000000, 0xc0100000, 0xbfffeffc, 0xbffff000, 0x400000, 0x1000,
	};

	return (int)words[pick(nelem(words))];
}

/* Return a pointer to one of some strings, or anywhere into the area. */
static int pointer(void)
{
	static char *const strings[] = {
		(char *)"f", (char *)"d", (char *)"d/f", (char *)".", (char *)"..", (char *)"/",
		(char *)"#c/null", (char *)"#p", (char *)"#c/zero", (char *)"/bin/true",
		(char *)"d/../f", (char *)"", (char *)"#|", (char *)"/proc/1/status",
	};

	if (pick(2))
		return (int)(uintptr_t)strings[pick(nelem(strings))];
	return (int)(uintptr_t)area + (int)pick(sizeof(area) + 64);
}

static int argument(void)
{
	switch (pick(4)) {
	case 0:
		return odd_word();
	case 1:
		return pointer();
	case 2:
		return (int)pick(12);
	default:
		return (int)pick(1u << pick(32));
	}
}

/* Tell whether the call would end the process or make it wait, for long or for a pipe. */
static bool stops(int n, int first)
{
	struct stat st;

	if (n == SYS_read || n == SYS_write)
		return fstat(first, &st) == 0 && S_ISFIFO(st.st_mode);
	return n == SYS_exit || n == SYS_nanosleep || n == SYS_waitpid || n == SYS_kill ||
	       n == SYS_select || n == SYS_sigsuspend || n == SYS_sigreturn ||
	       n == SYS_setitimer;
}

static void call(void)
{
	int n = (int)pick(NSYS + 3), first = argument(), r;

	if (stops(n, first))
		return;
	r = sys5(n, first, argument(), argument(), argument(), argument());
	if (n == SYS_fork && r == 0)
		_exit(0);
	if (n == SYS_fork)
		waitpid(r, NULL, 0);
}

static void run(uintptr_t number)
{
	seed = (uint32_t)number * 2654435761u;
	close(0);
	close(2);
	signal(SIGPIPE, SIG_IGN);
	must(rfork(RFNAMEG) == 0);
	while (left-- > 0) {
		for (int k = 0; k < 4; k++)
			area[pick(sizeof(area))] = (char)pick(256);
		if (pick(64) == 0) /* now and then the area makes sense */
			memset(area, 0, sizeof(area));
		call();
	}
	_exit(DONE);
}

/*
 * Start the process of that number, which begins when nobody can write to the gate any more. It may
 * become another program or die, but must end.
 */
static void start(uintptr_t number, const int gate[2])
{
	char byte;
	pid_t pid;

	while ((pid = fork()) < 0 && errno == ENOMEM)
		tap_sleep(20); /* what others have left grows yet: see no_memory_is_lost() */
	must(pid >= 0);
	if (pid == 0) {
		close(1);
		close(gate[1]);
		must(read(gate[0], &byte, 1) == 0);
		close(gate[0]);
		run(number);
	}
}

/* Wait for one process; tell whether it made all its calls. */
static bool finished(void)
{
	int status;

	must(wait(&status) > 0);
	return status == DONE << 8;
}

/*
 * Run processes in a directory that they may change and that is removed afterwards. Together, all
 * are there before the first begins: the children of some, dead or alive, may be as many processes
 * as the user may have.
 */
static void series(bool together)
{
	int n = 0, step = together ? PROCESSES : 1, gate[2];

	must(mkdir("none", 0755) == 0 && chdir("none") == 0 && mkdir("d", 0755) == 0);
	tap_write("f", "some text");
	tap_write("d/f", "some other text");
	for (int i = 0; i < PROCESSES; i += step) {
		must(pipe(gate) == 0);
		for (int k = 1; k <= step; k++)
			start((uintptr_t)(i + k), gate);
		close(gate[0]);
		close(gate[1]);
		for (int k = 0; k < step; k++)
			n += finished();
	}
	must(n > PROCESSES / 2);
	must(chdir("..") == 0 && tap_remove("none"));
}

static void one_by_one(void)
{
	series(false);
}

static void together(void)
{
	series(true);
}

/* These run as the user none: the owner may rightly break things. */
static void random_calls(void)
{
	must(chmod(".", 0777) == 0);
	tap_as_none(one_by_one);
}

static void random_calls_together(void)
{
	must(chmod(".", 0777) == 0);
	tap_as_none(together);
}

/* A child whose handler faults itself is there until its stack has all of the 8 MB that it may. */
static void no_memory_is_lost(void)
{
	size_t before;

	random_calls();
	random_calls_together();
	before = tap_memory_left();
	random_calls();
	random_calls_together();
	for (int i = 0; i < 20 && !tap_memory_back(before, 8); i++)
		;
	must(tap_memory_back(before, 8));
}

static const struct tap_case cases[] = {
	{ "random calls", random_calls },
	{ "random calls of several processes at once", random_calls_together },
	{ "random calls leak no memory", no_memory_is_lost },
};

int main(void)
{
	return tap_run(cases, nelem(cases));
}
