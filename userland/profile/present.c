/* Options, running and showing: what prof(1), cprof(1) and mprof(1) have in common. */
#include "userland/profile/present.h"

#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "userland/files/stream.h"

#define KERNEL "kernel" /* the module of that name */

static const struct present *how;
static bool entries; /* what is shown are calls: coverage of the kernel */

/* What the options say. */
static enum { BY_FUNCTION, BY_LINE, BY_SOURCE } by;
static bool all;	  /* also what has no counts */
static const char *only;  /* this source file */
static const char *saved; /* the file to write in place of showing anything */

static bool shown;   /* a module had counts */
static bool looked, found, counted; /* of the source file: for it, it is there, it has counts */

/* n in thousandths of total, rounded; 1000 only if it is all. */
static unsigned permille(uint64_t n, uint64_t total)
{
	uint64_t rounded = (n * 1000 + total / 2) / total;

	return rounded == 1000 && n < total ? 999 : (unsigned)rounded;
}

void present_percent(uint64_t n, uint64_t total)
{
	if (total)
		printf("%3u.%u%%", permille(n, total) / 10, permille(n, total) % 10);
	else
		printf("%6s", "-");
}

/* The line above what is shown of a module or a source file. */
static void title(const char *name, const struct counts *c)
{
	printf("%s: %llu %s", name, (unsigned long long)c->total, entries ? "calls" : how->unit);
	if (how->covers && c->of > 0)
		printf(", %lu of %lu%s (%u.%u%%) executed", (unsigned long)c->ran,
		       (unsigned long)c->of, entries ? " functions" : "",
		       permille(c->ran, c->of) / 10, permille(c->ran, c->of) % 10);
	putchar('\n');
}

/* For qsort: the most first, then by name, then by line. */
static int most_first(const void *va, const void *vb)
{
	const struct part *a = va, *b = vb;
	int names;

	if (a->c.total != b->c.total)
		return a->c.total > b->c.total ? -1 : 1;
	if (a->c.peak != b->c.peak)
		return a->c.peak > b->c.peak ? -1 : 1;
	names = strcmp(a->name, b->name);
	return names ? names : (a->line > b->line) - (a->line < b->line);
}

/* A function or line, in a line of its own. */
static void print_part(const struct part *part, const struct counts *whole)
{
	how->columns(&part->c, whole);
	printf("  %s", part->name);
	if (part->line)
		printf(":%lu", (unsigned long)part->line);
	putchar('\n');
}

/* Whether the source file is one to be shown: by its name, or the last part of it. */
static bool wanted(const char *file)
{
	const char *base = strrchr(file, '/');

	return !only || strcmp(file, only) == 0 || (base && strcmp(base + 1, only) == 0);
}

/* Notes whether that source file is among the lines. */
static void look(const struct part *line, size_t n)
{
	looked = true;
	for (size_t i = 0; i < n; i++) {
		if (!line[i].line || !wanted(line[i].name))
			continue;
		found = true;
		counted = counted || parts_has(&line[i].c);
	}
}

/* Says so when it was asked for a source file, and there is none, or nothing in it: a status. */
static int missed(void)
{
	if (!only || !looked || counted)
		return 0;
	fflush(stdout);
	if (!found)
		warnx("%s: no module that was counted has such a source file", only);
	else if (!all)
		warnx("%s: nothing was counted in it; -a shows it", only);
	return !found;
}

/* Functions, or lines, the ones with most first. */
static void print_table(struct part *part, size_t n, const struct counts *whole)
{
	qsort(part, n, sizeof(*part), most_first);
	for (size_t i = 0; i < n; i++)
		if ((parts_has(&part[i].c) || (all && part[i].c.of > 0)) &&
		    (by != BY_LINE || wanted(part[i].name)))
			print_part(&part[i], whole);
}

/* A source file: its lines that have code are some of the array of lines. */
struct source {
	struct part *line;
	size_t n;
	struct part whole; /* for sorting */
};

/* Where a file's text ends up in memory, which the caller frees; NULL when it is not there. */
static char *read_source(const char *name, size_t *size)
{
	char path[1024];
	size_t room = 0;
	int fd;

	snprintf(path, sizeof(path), "%s%s", *name == '/' ? "" : PRESENT_SOURCES "/", name);
	fd = open(path, O_RDONLY);
	*size = 0;
	if (fd < 0) {
		warn("%s", path);
		return NULL;
	}
	char *text = stream_slurp(fd, NULL, size, &room);

	if (!text)
		err(1, "%s", path);
	close(fd);
	return text;
}

/* A file's text with what its lines have; lines that are not in the text as in a table. */
static void print_source(const struct source *s, const struct counts *whole)
{
	static const struct counts none;
	const struct part *part = s->line, *end = s->line + s->n;
	size_t size;
	char *text = read_source(s->whole.name, &size), *at = text, *stop = text + size;

	title(s->whole.name, &s->whole.c);
	for (uint32_t line = 1; at < stop; line++) {
		char *newline = memchr(at, '\n', (size_t)(stop - at));
		int length = (int)((newline ? newline : stop) - at);

		if (part < end && part->line == line)
			how->margin(&part++->c, whole);
		else
			how->margin(&none, whole);
		printf("%6lu%s%.*s\n", (unsigned long)line, length ? "  " : "", length, at);
		at += length + 1;
	}
	while (part < end)
		print_part(part++, whole);
	free(text);
}

/* For qsort: as the files are as parts. */
static int source_order(const void *va, const void *vb)
{
	const struct source *a = va, *b = vb;

	return most_first(&a->whole, &b->whole);
}

/* Puts the lines, which are in the order of their files, together as files. */
static struct source *collect(struct part *line, size_t n, size_t *nfiles)
{
	struct source *s = calloc(n + 1, sizeof(*s));

	if (!s)
		err(1, "memory");
	*nfiles = 0;
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || strcmp(line[i - 1].name, line[i].name) != 0)
			s[(*nfiles)++] = (struct source){.line = &line[i],
							 .whole.name = line[i].name};
		struct source *file = &s[*nfiles - 1];

		file->n++;
		file->whole.c.total += line[i].c.total;
		file->whole.c.peak += line[i].c.peak;
		file->whole.c.ran += line[i].c.ran;
		file->whole.c.of += line[i].c.of;
	}
	qsort(s, *nfiles, sizeof(*s), source_order);
	return s;
}

/* The files that have counts, or all, and at last what has no line. */
static void print_sources(struct part *line, size_t n, const struct counts *whole)
{
	size_t nfiles, i;
	struct source *s = collect(line, n, &nfiles);

	for (i = 0; i < nfiles; i++)
		if ((all || parts_has(&s[i].whole.c)) && s[i].line->line && wanted(s[i].whole.name))
			print_source(&s[i], whole);
	if (n > 0 && line[0].line == 0 && parts_has(&line[0].c) && !only)
		print_part(&line[0], whole);
	free(s);
}

/* Says why there are no lines, if that matters. */
static void complain(const struct parts *p, const char *path)
{
	if (p->without)
		warnx("%s: its source lines: %s", path, p->without);
	else if (by != BY_FUNCTION && !p->has_lines)
		warnx("%s: it has no source lines", path);
}

/* The lines above what is shown of a module. */
static void title_of(const struct module *m, const struct counts *c)
{
	title(m->path, c);
	if (how->sums)
		how->sums(m);
}

/* Shows a module; when it has no lines, by function. Whether all went well. */
static bool print_module(const struct module *m)
{
	struct part question = {.name = "?", .c = {.total = m->total, .peak = m->memory.peak}};
	struct part *part;
	struct parts p;
	const char *bad;
	bool lines, good;
	size_t n;

	entries = how->covers && strcmp(m->name, KERNEL) == 0;
	bad = parts_open(&p, m, entries);
	lines = by != BY_FUNCTION && p.has_lines;
	good = !bad;
	fflush(stdout);
	if (bad) {
		warnx("%s: %s", m->path, bad);
		title_of(m, &question.c);
		print_part(&question, &question.c);
	} else {
		complain(&p, m->path);
		good = p.has_lines || (by == BY_FUNCTION && !p.without);
		title_of(m, &p.whole);
		part = lines ? parts_lines(&p, &n) : parts_functions(&p, &n);
		if (lines)
			look(part, n);
		if (lines && by == BY_SOURCE)
			print_sources(part, n, &p.whole);
		else
			print_table(part, n, &p.whole);
		free(part);
	}
	parts_close(&p);
	return good;
}

/* Shows all modules that have counts, or writes them to a file. An exit status. */
static int show(uint32_t interval)
{
	size_t n, i;
	int status = 0;

	if (saved) {
		modules_write(saved, how->kind, interval);
		return 0;
	}
	struct module *m = modules_read(&n);

	for (i = 0; i < n; i++) {
		if (m[i].total == 0 && m[i].npeak == 0)
			continue;
		shown = true;
		if (!print_module(&m[i]))
			status = 1;
	}
	if (!shown)
		warnx("nothing was counted");
	return missed() ? 1 : status;
}

static void usage(FILE *to)
{
	const char *name = getprogname(), *common = "[-aLl] [-f file] [-w file]";

	fprintf(to, "usage: %s %s [-m module] %scommand [argument ...]\n       %s %s\n", name,
		common, how->usage, name, common);
	if (how->also)
		fprintf(to, "       %s %s\n", name, how->also);
	exit(to == stdout ? 0 : 2);
}

/* Takes an option that all have; false if it is none of them. */
static bool option(int c, const char *argument)
{
	if ((c == 'L' && by == BY_SOURCE) || (c == 'l' && by == BY_LINE))
		errx(2, "-l and -L exclude each other");
	if (c == 'a')
		all = true;
	else if (c == 'f')
		only = argument;
	else if (c == 'L')
		by = BY_LINE;
	else if (c == 'l')
		by = BY_SOURCE;
	else if (c == 'w')
		saved = argument;
	else
		return false;
	return true;
}

int present(const struct present *p, int argc, char **argv)
{
	char **module = calloc((size_t)argc, sizeof(*module)), letters[32];
	bool running = false; /* something was said that only a command can be run with */
	uint32_t interval = 0;
	int c, bad, status;
	size_t n = 0;

	how = p;
	if (!module)
		err(1, "memory");
	snprintf(letters, sizeof(letters), "af:hLlm:w:%s", p->options);
	while ((c = getopt(argc, argv, letters)) != -1) {
		if (c == 'h' || c == '?')
			usage(c == 'h' ? stdout : stderr);
		if (option(c, optarg))
			continue;
		running = true;
		if (c == 'm')
			module[n++] = optarg;
		else
			p->option(c, optarg);
	}
	if (saved && (all || only || by != BY_FUNCTION))
		errx(2, "-%c has no effect with -w",
		     all ? 'a' : only ? 'f' : by == BY_LINE ? 'L' : 'l');
	if (only && by == BY_FUNCTION)
		by = BY_SOURCE;
	if (optind == argc && running)
		usage(stderr);
	if (optind == argc)
		return show(0);
	modules_want(module, n);
	if (p->prepare)
		interval = p->prepare();
	status = modules_run(argv + optind, p->start);
	bad = show(interval);
	modules_ctl("end", "cannot end");
	return status ? status : bad;
}
