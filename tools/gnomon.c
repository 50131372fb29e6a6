/* gnomon(1): one program for everything the host does; this file only finds the subcommand. */
#include <stdio.h>
#include <string.h>
#include "gnomon.h"

static const struct {
	const char *name;
	int (*main)(int argc, char **argv);
	const char *what;
} subcommand[] = {
	{.name = "extract",
	 .main = extract_main,
	 .what = "take profiles out of the memory of a guest, running or dumped"},
	{.name = "run", .main = run_main, .what = "boot the kernel and run commands in it"},
	{.name = "top", .main = top_main, .what = "show what a running guest is busy with"},
};

#define NSUB (sizeof(subcommand) / sizeof(subcommand[0]))

/* Say what there is. */
static void usage(FILE *to)
{
	size_t i;

	fputs("usage: gnomon COMMAND [ARGUMENT...]\n\ncommands:\n", to);
	for (i = 0; i < NSUB; i++)
		fprintf(to, "  %-8s %s\n", subcommand[i].name, subcommand[i].what);
	fputs("\n`gnomon COMMAND -h' tells about one of them.\n", to);
}

int main(int argc, char **argv)
{
	size_t i;

	if (argc < 2) {
		usage(stderr);
		return 2;
	}
	if (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0 ||
	    strcmp(argv[1], "help") == 0) {
		usage(stdout);
		return 0;
	}
	for (i = 0; i < NSUB; i++)
		if (strcmp(argv[1], subcommand[i].name) == 0)
			return subcommand[i].main(argc - 1, argv + 1);
	fprintf(stderr, "gnomon: %s: no such command\n", argv[1]);
	usage(stderr);
	return 2;
}
