/* Reads and controls the device prof(3). */
#include "userland/profile/modules.h"

#include <ctype.h>
#include <dirent.h>
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "userland/command/memory.h"
#include "userland/command/printable.h"
#include "userland/command/run.h"
#include "userland/files/whole.h"
#include "userland/profile/symtab.h"

#define PATH_SIZE 1024

/* The file stays open: to open it once more, for `stop', would be counted. */
void modules_ctl(const char *message, const char *doing)
{
	static int fd = -1;

	if (fd < 0)
		fd = open(MODULES_DIR "/ctl", O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		err(1, "%s", MODULES_DIR "/ctl");
	if (write(fd, message, strlen(message)) < 0)
		err(1, "%s", doing);
}

/* Make the path of a file of the module in that directory, whose name is short, and return it. */
static const char *path_of(char path[PATH_SIZE], const char *dir, const char *file)
{
	char *to = stpcpy(stpcpy(path, MODULES_DIR "/"), dir);

	*to = '/';
	strcpy(to + 1, file);
	return path;
}

/* Open a file of the module in that directory, or end the program. */
static int open_file(const char *dir, const char *file)
{
	char path[PATH_SIZE];
	int fd = open(path_of(path, dir, file), O_RDONLY);

	if (fd < 0)
		err(1, "%s", path);
	return fd;
}

/* Return what is in a small file, in memory of its own. */
static char *read_text(const char *dir, const char *file)
{
	char text[PATH_SIZE];
	int fd = open_file(dir, file);
	ssize_t n = read(fd, text, sizeof(text) - 1);

	if (n < 0)
		err(1, "%s/%s", dir, file);
	close(fd);
	text[n] = 0;
	return memory(strdup(text));
}

/* Take a decimal number and the blank or newline after it: the device gives nothing else. */
static inline uint32_t take(const char **at)
{
	const char *s = *at;
	uint32_t n = 0;

	while (*s > ' ')
		n = n * 10 + (uint32_t)(*s++ - '0');
	*at = *s ? s + 1 : s;
	return n;
}

/* Append a pair to the others, of which there is room for a power of 2. */
static void add_pair(struct module *m, const char **at)
{
	size_t n = m->n++;

	if ((n & (n - 1)) == 0)
		m->pair = memory(reallocarray(m->pair, n ? 2 * n : 1, sizeof(*m->pair)));
	m->pair[n].pc = take(at);
	m->pair[n].count = take(at);
	m->total += m->pair[n].count;
}

/* Append a place of memory to the others. */
static void add_place(struct module *m, const char **at)
{
	size_t n = m->nplace++;
	struct module_place *to;
	char *end;

	if ((n & (n - 1)) == 0)
		m->place = memory(reallocarray(m->place, n ? 2 * n : 1, sizeof(*m->place)));
	to = &m->place[n];
	to->pc = take(at);
	to->peak = take(at);
	to->total = strtoull(*at, &end, 10);
	*at = end + 1;
	to->allocated = take(at);
	to->freed = take(at);
}

/* Read a file of lines of numbers, each of which add takes. */
static void read_lines(struct module *m, const char *dir, const char *file,
		       void (*add)(struct module *m, const char **at))
{
	char path[PATH_SIZE], *text;
	const char *at;
	size_t n;

	text = whole_need(path_of(path, dir, file), &n);
	for (at = text; at < text + n;)
		add(m, &at);
	free(text);
}

/* Return the number after a word; 0 without it. */
static uint64_t number(const char *text, const char *word)
{
	const char *at = strstr(text, word);

	return at ? strtoull(at + strlen(word), NULL, 10) : 0;
}

/* Read the sums of memory, lines such as "live 1024". */
static void read_memory(struct module_memory *m, const char *dir)
{
	char *text = read_text(dir, "memory");

	*m = (struct module_memory){.live = number(text, "live "),
				    .peak = number(text, "peak "),
				    .total = number(text, "total "),
				    .allocated = number(text, "allocated "),
				    .freed = number(text, "freed "),
				    .lost = number(text, "lost ")};
	free(text);
}

/* For qsort: by total, then by the peak, then by path. */
static int most_first(const void *va, const void *vb)
{
	const struct module *a = va, *b = vb;

	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	if (a->memory.peak != b->memory.peak)
		return a->memory.peak > b->memory.peak ? -1 : 1;
	return strcmp(a->path, b->path);
}

/* Warn of programs that the device had no room for, as its file left has them: "2 sh". */
static void warn_left(void)
{
	char text[32 + NAME_MAX], *name;
	unsigned long times;
	int fd = open(MODULES_DIR "/left", O_RDONLY);
	ssize_t n;

	if (fd < 0)
		return;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (n <= 0)
		return;
	text[n - 1] = 0; /* in place of the newline */
	times = strtoul(text, &name, 10);
	if (*name)
		printable(name + 1);
	warnx("left out for want of room: %lu program%s, the last of them%s", times,
	      times == 1 ? "" : "s", name);
}

struct module *modules_read(size_t *n, const char *out)
{
	struct module *all = NULL;
	size_t room = 0;
	struct module m;
	struct dirent *e;
	char *name;
	DIR *d = opendir(MODULES_DIR);

	if (!d)
		err(1, "%s", MODULES_DIR);
	*n = 0;
	while ((e = readdir(d)) != NULL) {
		/* A module's directory is named by its number, 8 hexadecimal digits. */
		if (!isxdigit((unsigned char)e->d_name[0]) || strcmp(e->d_name, "ctl") == 0)
			continue;
		name = read_text(e->d_name, "name");
		if (out && strcmp(name, out) == 0) {
			free(name);
			continue;
		}
		m = (struct module){.name = name};
		read_lines(&m, e->d_name, "hist", add_pair);
		read_memory(&m.memory, e->d_name);
		if (m.memory.allocated > 0)
			read_lines(&m, e->d_name, "peak", add_place);
		if (m.total == 0 && m.nplace == 0 && m.memory.lost == 0) {
			free(name);
			continue;
		}
		m.path = read_text(e->d_name, "path");
		m.title = printable(memory(strdup(m.path)));
		if (*n == room) {
			room = room ? 2 * room : 16;
			all = memory(reallocarray(all, room, sizeof(*all)));
		}
		all[(*n)++] = m;
	}
	closedir(d);
	warn_left();
	if (*n > 0)
		qsort(all, *n, sizeof(*all), most_first);
	return all;
}

/* Put one module on the list. In quotes, in which one is doubled, its name may have anything. */
static void want(const char *name)
{
	char *message = memory(malloc(2 * strlen(name) + sizeof("module ''"))), *to = message;

	to += sprintf(to, "module '");
	for (const char *s = name; *s; s++) {
		if (*s == '\'')
			*to++ = '\'';
		*to++ = *s;
	}
	strcpy(to, "'");
	modules_ctl(message, name);
	free(message);
}

void modules_want(char *const *name, size_t n)
{
	/* Counts of another command must not mix with those of this one. */
	modules_ctl("end", "cannot end what was counted before");
	while (n-- > 0) {
		if (strlen(*name) >= PATH_MAX)
			errx(2, "%s: the name is too long", *name);
		want(*name++);
	}
}

int modules_run(char **args, const char *start)
{
	int status;

	modules_ctl(start, "cannot start");
	status = run_wait(args);
	modules_ctl("stop", "cannot stop");
	return status;
}

/* Write a word of modules(5): what would end it becomes a backslash and three octal digits. */
static void put_word(FILE *f, const char *word)
{
	for (; *word; word++)
		fprintf(f, (unsigned char)*word <= ' ' || *word == '\\' ? "\\%03o" : "%c",
			(unsigned char)*word);
}

/* Write the places of a module's memory; those that have bytes left are among its pairs. */
static size_t put_places(FILE *f, const struct module *m)
{
	const struct module_pair *live = m->pair, *end = m->pair + m->n;

	for (size_t i = 0; i < m->nplace; i++) {
		const struct module_place *p = &m->place[i];
		bool has = live < end && live->pc == p->pc;

		fprintf(f, "%lu %lu ", (unsigned long)p->pc,
			(unsigned long)(has ? live++->count : 0));
		fprintf(f, "%lu %llu %lu\n", (unsigned long)(p->allocated - p->freed),
			(unsigned long long)p->total, (unsigned long)p->allocated);
	}
	return m->nplace;
}

/*
 * Write a module as modules(5) has it, and return how many lines that are. What its file does not
 * tell is a minus sign.
 */
static size_t put_module(FILE *f, const struct module *m)
{
	size_t lines = 1;
	const struct symtab *s;

	symtab_keep(&s, m->path); /* what it could not read is 0 or empty */
	fputs("module ", f);
	put_word(f, m->name);
	putc(' ', f);
	put_word(f, m->path);
	if (s->text)
		fprintf(f, " %08lx", (unsigned long)s->text);
	else
		fputs(" -", f);
	fprintf(f, " %s\n", *s->buildid ? s->buildid : "-");
	if (m->nplace > 0)
		return 1 + put_places(f, m);
	for (size_t i = 0; i < m->n; i++) {
		if (m->pair[i].count == 0)
			continue;
		fprintf(f, "%lu %lu\n", (unsigned long)m->pair[i].pc,
			(unsigned long)m->pair[i].count);
		lines++;
	}
	return lines;
}

void modules_write(const char *path, const char *kind, uint32_t interval, const char *out)
{
	size_t n, i, lines = 1;
	struct module *all = modules_read(&n, out);
	FILE *f = fopen(path, "w");
	bool bad;

	if (!f)
		err(1, "%s", path);
	/* Only of memory has each place more than its count. */
	fprintf(f, "gnomon modules %c %s %lu\n", strcmp(kind, "memory") == 0 ? '3' : '2', kind,
		(unsigned long)interval);
	for (i = 0; i < n; i++)
		lines += put_module(f, &all[i]);
	fprintf(f, "end %lu\n", (unsigned long)lines);
	bad = ferror(f);
	if (fclose(f) || bad)
		err(1, "%s", path);
}
