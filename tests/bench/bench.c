/*
 * bench: measures what the kernel's services cost, in cycles of the counter. Under -icount
 * shift=0 a cycle is an instruction; those of the program itself are included. Prints lines
 * "NAME CYCLES", each the mean of many repetitions.
 *
 * usage: bench [NAME...]	only these cases, without a name all of them; "list" is list10,
 *				list100 and so on
 *
 * What is measured beside 1,000 processes needs a machine of 192 MB.
 * Links: tests/bench/calls.c tests/bench/directories.c tests/bench/memory.c
 * Links: tests/bench/pipes.c tests/bench/processes.c tests/bench/library.c
 * Links: tests/bench/commands.c
 */
#include "tests/bench/bench.h"
#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define WARM 3 /* times before it counts */

unsigned bench_size;
uint64_t bench_own;

static const struct bench_case *const tables[] = {
	bench_calls, bench_directories, bench_processes, bench_memory, bench_pipes,
	bench_library, bench_commands, NULL,
};

/* Return the name of a case with its present size, if it has any. */
static const char *name_of(const struct bench_case *c)
{
	static char name[32];

	if (bench_size == 0)
		return c->name;
	snprintf(name, sizeof(name), "%s%u", c->name, bench_size);
	return name;
}

void bench_want(bool ok, const char *what)
{
	if (!ok)
		err(1, "%s", what);
}

static void measure(const struct bench_case *c)
{
	uint64_t before, took;
	unsigned per = c->each ? bench_size : c->per ? c->per : 1;

	if (c->start)
		c->start();
	c->run(WARM);
	bench_own = 0;
	before = bench_time();
	c->run(c->times);
	took = bench_time() - before;
	if (bench_own)
		took = bench_own;
	if (c->end)
		c->end();
	printf("%s %llu\n", name_of(c), (unsigned long long)(took / c->times / per));
}

/* Measure in a process of its own. */
static void measure_apart(const struct bench_case *c)
{
	int status;
	pid_t pid = fork();

	bench_want(pid >= 0, c->name);
	if (pid == 0) {
		measure(c);
		exit(0);
	}
	bench_want(waitpid(pid, &status, 0) == pid, c->name);
	if (status != 0)
		errx(1, "%s: status %x", name_of(c), status);
}

/* Measure a case with each of its sizes, if it has that name. Return whether it has. */
static bool measure_named(const struct bench_case *c, const char *name)
{
	bool found = false;
	unsigned i = 0;

	do {
		bench_size = c->sizes[i];
		if (name && strcmp(name, c->name) != 0 && strcmp(name, name_of(c)) != 0)
			continue;
		measure_apart(c);
		found = true;
	} while (++i < BENCH_SIZES && c->sizes[i]);
	return found;
}

/* Measure the cases of that name, or all if it is NULL. */
static void measure_all(const char *name)
{
	bool found = false;

	for (unsigned i = 0; tables[i]; i++) {
		for (const struct bench_case *c = tables[i]; c->name; c++)
			found |= measure_named(c, name);
	}
	if (!found)
		errx(2, "%s: there is no such case", name);
}

int main(int argc, char **argv)
{
	if (argc == 1)
		measure_all(NULL);
	for (int i = 1; i < argc; i++)
		measure_all(argv[i]);
	return 0;
}
