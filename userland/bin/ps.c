/* ps: lists the processes, by number, as proc(4) tells of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "userland/command/usage.h"
#include "userland/files/process.h"

#define PAGE_KB 4 /* KB of memory in a page */

static const char synopsis[] = "ps [aux | -ef]";

/*
 * Print a process's line. Times are in seconds and hundredths. What has no memory is a thread of
 * the kernel, whose name is in brackets.
 */
static void print(const struct process *p)
{
	printf("%5ld %5ld %5ld %-5s %-8s %4lu.%02lu %4lu.%02lu %5luK ", p->pid, p->parent, p->group,
	       p->user, p->state, p->user_ms / 1000, p->user_ms % 1000 / 10, p->kernel_ms / 1000,
	       p->kernel_ms % 1000 / 10, p->pages * PAGE_KB);
	printf(p->pages ? "%s%s%s\n" : "[%s]%s%s\n", p->name, *p->args ? " " : "", p->args);
}

int main(int argc, char **argv)
{
	struct process *list;
	size_t n;

	/* Habits of other systems ask for what is shown in any case. */
	if (argc == 2 && (strcmp(argv[1], "aux") == 0 || strcmp(argv[1], "-ef") == 0))
		argc = 1;
	no_options(argc, argv, synopsis);
	if (optind < argc)
		usage('?', synopsis);
	list = process_list(&n);
	printf("  PID  PPID  PGRP USER  STATE       USER     SYS    MEM COMMAND\n");
	for (size_t i = 0; i < n; i++)
		print(&list[i]);
	free(list);
	return 0;
}
