/* gnomon(1): one program for everything the host does; this file only finds the subcommand. */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include "tools/gnomon.h"
#include "tools/outfile.h"
#include "tools/version.h"

static const struct {
	const char *name;
	int (*main)(int argc, char **argv);
	const char *what;
} subcommand[] = {
	{.name = "cc", .main = cc_main, .what = "compile a C program for the guest"},
	{.name = "diff", .main = diff_main, .what = "say where two profiles differ, beyond chance"},
	{.name = "doctor",
	 .main = doctor_main,
	 .what = "say what this machine lacks for gnomon"},
	{.name = "export", .main = export_main, .what = "write a profile for other programs"},
	{.name = "import", .main = import_main, .what = "read a profile of another system"},
	{.name = "merge", .main = merge_main, .what = "add up profiles into one file"},
	{.name = "record",
	 .main = record_main,
	 .what = "count what any kernel executes in QEMU"},
	{.name = "report", .main = report_main, .what = "print reports on a profile"},
	{.name = "extract",
	 .main = extract_main,
	 .what = "take profiles out of the memory of a guest, running or dumped"},
	{.name = "run", .main = run_main, .what = "boot the kernel and run commands in it"},
	{.name = "top", .main = top_main, .what = "show what a running guest is busy with"},
};

#define NSUB (sizeof(subcommand) / sizeof(subcommand[0]))

/* List the commands. */
static void usage(FILE *to)
{
	size_t i;

	fputs("usage: gnomon COMMAND [ARGUMENT...]\n\ncommands:\n", to);
	for (i = 0; i < NSUB; i++)
		fprintf(to, "  %-8s %s\n", subcommand[i].name, subcommand[i].what);
	fputs("\n`gnomon help COMMAND' tells about one of them,\n"
	      "`gnomon --version' which version this is.\n", to);
}

/* Run a command, or print the version if that is what is asked of it. Return the exit status. */
static int command(size_t i, int argc, char **argv)
{
	bool version = argc > 1 && strcmp(argv[1], "--version") == 0;
	char program[64];
	int status;

	if (version)
		status = version_print("gnomon");
	else
		status = subcommand[i].main(argc, argv);
	snprintf(program, sizeof(program), "gnomon %s", subcommand[i].name);
	return outfile_standard(program, status);
}

/* Complain that there is no such command. Return the exit status. */
static int unknown(const char *name)
{
	fprintf(stderr, "gnomon: %s: no such command\n", name);
	usage(stderr);
	return 2;
}

/* Return the number of a command, NSUB if there is none of that name. */
static size_t find_command(const char *name)
{
	size_t i;

	for (i = 0; i < NSUB; i++)
		if (strcmp(name, subcommand[i].name) == 0)
			break;
	return i;
}

/* gnomon help COMMAND. */
static int help_main(int argc, char **argv)
{
	size_t i;

	if (argc > 3) {
		fprintf(stderr, "gnomon help: %s: one command expected\n", argv[3]);
		return 2;
	}
	i = find_command(argv[2]);
	if (i == NSUB)
		return unknown(argv[2]);
	return command(i, 2, (char *[]){argv[2], "--help", NULL});
}

/* Return whether the command line asks what gnomon is. */
static bool wants_usage(int argc, char **argv)
{
	if (strcmp(argv[1], "help") == 0)
		return argc == 2;
	return strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0;
}

int main(int argc, char **argv)
{
	size_t i;

	/* A limit on the size of files is then an error like others, here and in QEMU. */
	signal(SIGXFSZ, SIG_IGN);
	if (argc < 2) {
		usage(stderr);
		return 2;
	}
	if (wants_usage(argc, argv)) {
		usage(stdout);
		return outfile_standard("gnomon", 0);
	}
	if (strcmp(argv[1], "--version") == 0)
		return outfile_standard("gnomon", version_print("gnomon"));
	if (strcmp(argv[1], "help") == 0)
		return help_main(argc, argv);
	i = find_command(argv[1]);
	if (i == NSUB)
		return unknown(argv[1]);
	return command(i, argc - 1, argv + 1);
}
