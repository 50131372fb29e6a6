/* Reads the device prof(3), and gives its counts to functions. */
#include "modules.h"

#include <sys/wait.h>
#include <ctype.h>
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symtab.h"

#define PATH_SIZE 1024
#define PAIR_SIZE 32

void modules_ctl(const char *message, const char *doing)
{
	int fd = open(MODULES_DIR "/ctl", O_WRONLY);

	if (fd < 0)
		err(1, "%s", MODULES_DIR "/ctl");
	if (write(fd, message, strlen(message)) < 0)
		err(1, "%s", doing);
	close(fd);
}

/* Opens a file of the module in that directory. */
static int open_file(const char *dir, const char *file)
{
	char path[PATH_SIZE];
	int fd;

	snprintf(path, sizeof(path), "%s/%s/%s", MODULES_DIR, dir, file);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		err(1, "%s", path);
	return fd;
}

/* The content of a small file, in memory of its own. */
static char *read_text(const char *dir, const char *file)
{
	char text[PATH_SIZE], *copy;
	int fd = open_file(dir, file);
	ssize_t n = read(fd, text, sizeof(text) - 1);

	if (n < 0)
		err(1, "%s/%s", dir, file);
	close(fd);
	text[n] = 0;
	copy = strdup(text);
	if (!copy)
		err(1, "%s", dir);
	return copy;
}

/* Takes one pair as the device gives it. */
static void add_pair(struct module *m, size_t *room, const char *text)
{
	char *end;
	uint32_t pc = (uint32_t)strtoul(text, &end, 10);

	if (m->n == *room) {
		*room = *room ? 2 * *room : 256;
		m->pair = reallocarray(m->pair, *room, sizeof(*m->pair));
		if (!m->pair)
			err(1, "%s", m->path);
	}
	m->pair[m->n].pc = pc;
	m->pair[m->n].count = (uint32_t)strtoul(end, NULL, 10);
	m->total += m->pair[m->n++].count;
}

/* One pair a read, until there are none. */
static void read_pairs(struct module *m, const char *dir)
{
	char text[PAIR_SIZE];
	size_t room = 0;
	int fd = open_file(dir, "histogram");
	ssize_t n;

	while ((n = read(fd, text, sizeof(text) - 1)) > 0) {
		text[n] = 0;
		add_pair(m, &room, text);
	}
	if (n < 0)
		err(1, "%s/histogram", dir);
	close(fd);
}

/* For qsort: by total, then by path. */
static int most_first(const void *va, const void *vb)
{
	const struct module *a = va, *b = vb;

	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	return strcmp(a->path, b->path);
}

struct module *modules_read(size_t *n)
{
	struct module *all = NULL;
	size_t room = 0;
	struct dirent *e;
	DIR *d = opendir(MODULES_DIR);

	if (!d)
		err(1, "%s", MODULES_DIR);
	*n = 0;
	while ((e = readdir(d)) != NULL) {
		if (!isxdigit((unsigned char)e->d_name[0]) || strcmp(e->d_name, "ctl") == 0)
			continue;
		if (*n == room) {
			room = room ? 2 * room : 16;
			all = reallocarray(all, room, sizeof(*all));
			if (!all)
				err(1, "%s", MODULES_DIR);
		}
		all[*n] = (struct module){.name = read_text(e->d_name, "name"),
					  .path = read_text(e->d_name, "path")};
		read_pairs(&all[(*n)++], e->d_name);
	}
	closedir(d);
	if (*n > 0)
		qsort(all, *n, sizeof(*all), most_first);
	return all;
}

/* For qsort: by total, then by name. */
static int function_order(const void *va, const void *vb)
{
	const struct module_function *a = va, *b = vb;

	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Adds up the pairs below an address, from number *i on. */
static void add_up(struct module_function *f, const struct module *m, size_t *i, uint32_t begin,
		   uint32_t end)
{
	for (; *i < m->n && m->pair[*i].pc < end; ++*i) {
		f->total += m->pair[*i].count;
		f->ran++;
		if (m->pair[*i].pc == begin)
			f->first = m->pair[*i].count;
	}
}

/* Functions and pairs both ascend. What is before the first function is nobody's. */
struct module_function *modules_functions(const struct module *m, bool all, size_t *n)
{
	struct module_function *f;
	size_t i = 0, k;
	struct symtab s;

	symtab_read(&s, m->path);
	f = calloc(s.n + 1, sizeof(*f));
	if (!f)
		err(1, "%s", m->path);
	f[0].name = "?";
	add_up(&f[0], m, &i, UINT32_MAX, s.function[0].address - s.text);
	*n = f[0].ran > 0;
	for (k = 0; k < s.n; k++) {
		f[*n] = (struct module_function){.name = s.function[k].name};
		add_up(&f[*n], m, &i, s.function[k].address - s.text,
		       k + 1 < s.n ? s.function[k + 1].address - s.text : UINT32_MAX);
		*n += all || f[*n].ran > 0;
	}
	if (*n > 0)
		qsort(f, *n, sizeof(*f), function_order);
	return f;
}

void modules_want(char *const *name, size_t n)
{
	char message[256];

	modules_ctl("end", "cannot end what was counted before");
	while (n-- > 0) {
		if (strlen(*name) > sizeof(message) - sizeof("module "))
			errx(2, "%s: the name is too long", *name);
		snprintf(message, sizeof(message), "module %s", *name);
		modules_ctl(message, *name++);
	}
}

int modules_run(char **args, const char *start)
{
	int status;
	pid_t pid;

	fflush(stdout);
	modules_ctl(start, "cannot start");
	pid = fork();
	if (pid < 0)
		err(1, "fork");
	if (pid == 0) {
		execvp(args[0], args);
		err(errno == ENOENT ? 127 : 126, "%s", args[0]);
	}
	signal(SIGINT, SIG_IGN);
	if (waitpid(pid, &status, 0) < 0)
		err(1, "wait");
	modules_ctl("stop", "cannot stop");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* A process of its own, because a file without symbols ends it. */
static int print_apart(void (*print)(const struct module *m), const struct module *m)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid < 0)
		err(1, "fork");
	if (pid == 0) {
		print(m);
		exit(fflush(stdout) == 0 ? 0 : 1);
	}
	if (waitpid(pid, &status, 0) < 0)
		err(1, "wait");
	return status;
}

int modules_each(void (*print)(const struct module *m), void (*blank)(const struct module *m))
{
	struct module *all;
	size_t n, i;
	int bad = 0;

	all = modules_read(&n);
	for (i = 0; i < n && all[i].total > 0; i++) {
		if (print_apart(print, &all[i]) == 0)
			continue;
		bad = 1;
		blank(&all[i]);
	}
	return bad;
}
