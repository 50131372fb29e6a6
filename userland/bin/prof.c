/*
 * prof: shows where programs and the kernel spend their time, by function or source line: as
 * prof(3) has sampled it, or with -g as a gmon.out has it. present.c does the rest. Called by the
 * name cprof or mprof it is that command: one file in memory serves all three.
 * Host: no
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "userland/command/number.h"
#include "userland/profile/gmonflat.h"
#include "userland/profile/present.h"

#define FROM_FILE "-g program [gmon.out]"

#define LONGEST 1000000 /* ms between samples */

static long interval = 10; /* ms between samples */

/* Take the one option of its own, -s. */
static void option(int letter, const char *argument)
{
	(void)letter;
	interval = number(argument, 1, LONGEST);
}

/* Tell the device the interval. Return it in microseconds. */
static uint32_t prepare(void)
{
	char message[32];

	snprintf(message, sizeof(message), "interval %ld", interval);
	modules_ctl(message, message);
	return (uint32_t)interval * 1000;
}

/*
 * Show a file that a program wrote itself, or kgmon(8): no device is asked, and no other option
 * has a meaning. Return an exit status.
 */
static int from_file(int n, char **name)
{
	if (n < 1 || n > 2) {
		fprintf(stderr, "usage: prof %s\n", FROM_FILE);
		return 2;
	}
	gmonflat(name[0], n == 2 ? name[1] : "gmon.out");
	return 0;
}

int main(int argc, char **argv)
{
	static const struct present prof = {
		.kind = "sampling",
		.unit = "samples",
		.start = "start",
		.usage = "[-s ms] ",
		.also = FROM_FILE,
		.options = "s:",
		.option = option,
		.prepare = prepare,
		.ticks = true,
		.width = 8,
	};
	const char *name = getprogname();

	if (strcmp(name, "cprof") == 0)
		return present(&cprof, argc, argv);
	if (strcmp(name, "mprof") == 0)
		return present(&mprof, argc, argv);
	if (argc > 1 && strcmp(argv[1], "-g") == 0)
		return from_file(argc - 2, argv + 2);
	return present(&prof, argc, argv);
}
