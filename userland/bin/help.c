/*
 * help: lists the commands, and the first things to try. What a command is for is the NAME section
 * of its manual page, so that there is nothing to keep in step.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "userland/command/usage.h"
#include "userland/files/path.h"
#include "userland/text/page.h"

#define BIN "/bin"

/* What to type, and what comes of it. */
static const char *const first_things[][2] = {
	{ "man intro", "how this system is used" },
	{ "man kprof", "the page of a command, device or file format" },
	{ "man -k profil", "the pages that have to do with a word" },
	{ "cat /dev/version", "which kernel this is" },
	{ "ls -l /dev", "what it serves" },
	{ "echo startclr >/dev/kpctl", "start the kernel profiler; then let the machine work" },
	{ "cat /dev/kpctl", "what the profiler has seen" },
	{ "flame /rc/workload", "draw where the time of a command goes" },
	{ "top", "what the machine is busy with, now; q leaves" },
	{ "shutdown", "stop the machine" },
};

static const char synopsis[] = "help";

/* Print a command with the line that its manual page, in section 1 or 8, says of it. */
static void print(const char *name)
{
	size_t n;
	char *page = page_read("1", name, &n), *names, *about;

	if (!page)
		page = page_read("8", name, &n);
	/* "NAME - about" is how a page begins, by mdoc(7). */
	if (page && page_summary(page, &names, &about))
		printf("  %-10s %s\n", name, about);
	else
		printf("  %s\n", name);
	free(page);
}

/* A command without a page is listed all the same, so that nothing in /bin is hidden. */
int main(int argc, char **argv)
{
	char **names;

	no_options(argc, argv, synopsis);
	if (optind < argc)
		usage('?', synopsis);
	names = path_names(BIN, NULL);
	if (!names)
		err(1, BIN);
	printf("Commands:\n");
	for (char **n = names; *n; n++)
		print(*n);
	path_names_free(names);
	printf("\nFirst things to try:\n");
	for (size_t i = 0; i < sizeof(first_things) / sizeof(first_things[0]); i++)
		printf("  %-26s %s\n", first_things[i][0], first_things[i][1]);
	return 0;
}
