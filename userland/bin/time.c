/*
 * time: runs a command and says how long it took: by the clock, and on processors in programs and
 * in the kernel, its children included. The lines are named as those of POSIX's time -p.
 */
#include <sys/times.h>
#include <err.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "userland/command/run.h"
#include "userland/command/usage.h"

static const char synopsis[] = "time command [argument ...]";

/* Return the milliseconds since boot. */
static unsigned long now(void)
{
	struct timespec t;

	if (clock_gettime(CLOCK_MONOTONIC, &t) < 0)
		err(1, "clock");
	return (unsigned long)t.tv_sec * 1000 + (unsigned long)t.tv_nsec / 1000000;
}

/* Print milliseconds as seconds. */
static void print(const char *what, unsigned long ms)
{
	fprintf(stderr, "%s %lu.%03lu\n", what, ms / 1000, ms % 1000);
}

int main(int argc, char **argv)
{
	unsigned long begin, took;
	struct tms t;
	int status;

	no_options(argc, argv, synopsis);
	if (optind == argc)
		usage('?', synopsis);
	begin = now();
	status = run_wait(argv + optind);
	took = now() - begin;
	times(&t);
	print("real", took);
	print("user", (unsigned long)t.tms_cutime * (1000 / CLK_TCK));
	print("sys ", (unsigned long)t.tms_cstime * (1000 / CLK_TCK));
	return status;
}
