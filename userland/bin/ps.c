/* ps: lists the processes, from the files /proc/N/status. */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "path.h"

#define PROC "/proc"
#define PAGE_KB 4

struct process {
	char name[64], user[16], state[16], args[512];
	long pid, parent, group;
	unsigned long user_ms, kernel_ms, pages;
};

static void usage(FILE *to)
{
	fprintf(to, "usage: ps\n");
	exit(to == stdout ? 0 : 2);
}

/* The next word of a line, at most n - 1 characters of it; moves *line past it. */
static void word(char **line, char *to, size_t n)
{
	size_t len, skip = strspn(*line, " ");

	*line += skip;
	len = strcspn(*line, " \n");
	snprintf(to, n, "%.*s", (int)len, *line);
	*line += len;
}

/* The next word as a number. */
static unsigned long number(char **line)
{
	char text[24];

	word(line, text, sizeof(text));
	return strtoul(text, NULL, 10);
}

/* Reads one status line; -1 when it cannot be read, as when the process has ended. */
static int read_status(const char *path, struct process *p)
{
	char text[1024], *line = text;
	int fd = open(path, O_RDONLY);
	ssize_t n;

	if (fd < 0)
		return -1;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (n <= 0)
		return -1;
	text[n] = '\0';
	word(&line, p->name, sizeof(p->name));
	p->pid = number(&line);
	p->parent = number(&line);
	p->group = number(&line);
	word(&line, p->user, sizeof(p->user));
	word(&line, p->state, sizeof(p->state));
	p->user_ms = number(&line);
	p->kernel_ms = number(&line);
	p->pages = number(&line);
	line += strspn(line, " ");
	line[strcspn(line, "\n")] = '\0';
	snprintf(p->args, sizeof(p->args), "%s", line);
	return 0;
}

static int by_pid(const void *a, const void *b)
{
	const struct process *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

/* Prints a line; the name of what has no memory, a thread of the kernel, is in brackets. */
static void print(const struct process *p)
{
	printf("%5ld %5ld %5ld %-5s %-8s %4lu.%02lu %4lu.%02lu %5luK ", p->pid, p->parent, p->group,
	       p->user, p->state, p->user_ms / 1000, p->user_ms % 1000 / 10, p->kernel_ms / 1000,
	       p->kernel_ms % 1000 / 10, p->pages * PAGE_KB);
	printf(p->pages ? "%s%s%s\n" : "[%s]%s%s\n", p->name, *p->args ? " " : "", p->args);
}

int main(int argc, char **argv)
{
	size_t count, n = 0;
	char **names;
	struct process *list;
	int c;

	while ((c = getopt(argc, argv, "h")) != -1)
		usage(c == 'h' ? stdout : stderr);
	if (optind < argc)
		usage(stderr);
	names = path_names(PROC, &count);
	if (!names || !(list = calloc(count + 1, sizeof(*list))))
		err(1, PROC);
	for (size_t i = 0; i < count; i++) {
		char *dir = path_join(PROC, names[i]), *path = path_join(dir, "status");

		if (names[i][0] >= '0' && names[i][0] <= '9' && read_status(path, &list[n]) == 0)
			n++;
		free(path);
		free(dir);
	}
	qsort(list, n, sizeof(*list), by_pid);
	printf("  PID  PPID  PGRP USER  STATE       USER     SYS    MEM COMMAND\n");
	for (size_t i = 0; i < n; i++)
		print(&list[i]);
	free(list);
	path_names_free(names);
	return 0;
}
