/*
 * Reads /proc. A status is one line: name, pid, parent, group, user, state, milliseconds in the
 * program and in the kernel, pages, and the arguments.
 */
#include "userland/files/process.h"

#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "userland/command/memory.h"
#include "userland/files/path.h"

#define PROC "/proc"

/* Copy the next word of a line, n - 1 characters of it at most, and move *line past it. */
static void word(char **line, char *to, size_t n)
{
	size_t len, skip = strspn(*line, " ");

	*line += skip;
	len = strcspn(*line, " \n");
	snprintf(to, n, "%.*s", (int)len, *line);
	*line += len;
}

/* Take the next word as a number. */
static unsigned long number(char **line)
{
	char text[24];

	word(line, text, sizeof(text));
	return strtoul(text, NULL, 10);
}

/* Read one status. Return -1 when it cannot be read, as when the process has ended. */
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
	p->pid = (long)number(&line);
	p->parent = (long)number(&line);
	p->group = (long)number(&line);
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

/* For qsort. */
static int by_pid(const void *a, const void *b)
{
	const struct process *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

struct process *process_list(size_t *n)
{
	struct process *list;
	size_t count;
	char **names = path_names(PROC, &count);

	if (!names)
		err(1, PROC);
	list = memory(calloc(count + 1, sizeof(*list)));
	*n = 0;
	for (size_t i = 0; i < count; i++) {
		char *dir = path_join(PROC, names[i]), *path = path_join(dir, "status");

		if (names[i][0] >= '0' && names[i][0] <= '9' && read_status(path, &list[*n]) == 0)
			++*n;
		free(path);
		free(dir);
	}
	path_names_free(names);
	qsort(list, *n, sizeof(*list), by_pid);
	return list;
}
