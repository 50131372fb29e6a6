/*
 * Takes the options of prof(1), cprof(1) and mprof(1), runs a command, and shows the counts.
 * Host: no
 */
#include "userland/profile/present.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "userland/command/memory.h"
#include "userland/command/run.h"
#include "userland/command/usage.h"
#include "userland/files/path.h"
#include "userland/profile/columns.h"
#include "userland/profile/loss.h"
#include "userland/profile/sources.h"

#define MARGIN 16 /* columns before the number of a source line */

/* What the command line says. */
struct options {
	enum { BY_FUNCTION, BY_LINE, BY_SOURCE } by;
	bool all;	   /* show also what has no counts */
	const char *only;  /* show this source file alone, or NULL */
	const char *saved; /* write this file instead of showing anything, or NULL */
	char **module;	   /* modules to count in addition to those of the command */
	size_t nmodule;
	const char *out; /* leave out this module, or NULL */
};

/* What is being shown. */
struct view {
	const struct present *how;
	const struct options *options;
	bool entries;	     /* the counts are calls: this is the kernel's coverage */
	struct counts whole; /* of the module */
	bool looked;	     /* for the source file asked for, in some module's lines */
	bool found;	     /* it is among them */
	bool counted;	     /* it has counts */
};

/* Print the line above a module or a source file. */
static void title(const struct view *v, const char *name, const struct counts *c)
{
	printf("%s: %llu %s", name, (unsigned long long)c->total,
	       v->entries ? "calls" : v->how->unit);
	if (v->how->covers && c->of > 0)
		printf(", %lu of %lu%s (%u.%u%%) executed", (unsigned long)c->ran,
		       (unsigned long)c->of, v->entries ? " functions" : "",
		       columns_permille(c->ran, c->of) / 10, columns_permille(c->ran, c->of) % 10);
	putchar('\n');
}

/* Write a count and its share of the module's. Return where they end. */
static char *put_share(char *to, const struct view *v, const struct counts *c)
{
	to = columns_number(to, c->total, v->how->width);
	*to++ = ' ';
	return columns_percent(to, c->total, v->whole.total);
}

/* Print a function or line in a line of its own. */
static void print_part(const struct view *v, const struct part *part)
{
	char text[PRESENT_ROW], *end = put_share(text, v, &part->c);

	if (v->how->columns)
		end = v->how->columns(end, &part->c);
	*end++ = ' ';
	*end++ = ' ';
	fwrite(text, 1, (size_t)(end - text), stdout);
	fputs(part->name, stdout);
	if (part->line)
		printf(":%lu", (unsigned long)part->line);
	putchar('\n');
}

/* Print what stands beside a source line. */
static void print_margin(const struct view *v, const struct counts *c)
{
	char text[PRESENT_ROW], *end;

	if (!parts_has(c) && !(v->how->covers && c->of > 0)) {
		printf("%*s", MARGIN, "");
	} else if (v->how->margin) {
		v->how->margin(c);
	} else {
		end = put_share(text, v, c);
		*end++ = ' ';
		fwrite(text, 1, (size_t)(end - text), stdout);
	}
}

/* Compare as for qsort: the most first, then by name, then by line. */
static int most_first(const struct part *a, const struct part *b)
{
	int names;

	if (a->c.total != b->c.total)
		return a->c.total > b->c.total ? -1 : 1;
	if (a->c.ever != b->c.ever)
		return a->c.ever > b->c.ever ? -1 : 1;
	names = (a->file > b->file) - (a->file < b->file);
	if (!a->file || !b->file)
		names = strcmp(a->name, b->name);
	return names ? names : (a->line > b->line) - (a->line < b->line);
}

/* Say whether a source file is to be shown: -f gives its name, or the last part of it. */
static bool wanted(const struct view *v, const char *file)
{
	return !v->options->only || sources_named(file, v->options->only);
}

/* Note whether the source file that -f gives is among a module's lines. */
static void look(struct view *v, const struct part *line, size_t n)
{
	v->looked = true;
	for (size_t i = 0; i < n; i++) {
		if (!line[i].line || !wanted(v, line[i].name))
			continue;
		v->found = true;
		v->counted = v->counted || parts_has(&line[i].c);
	}
}

/* Warn when nothing is known of the source file that -f gives. Return whether there is none. */
static bool missed(const struct view *v)
{
	const char *only = v->options->only;

	if (!only || !v->looked || v->counted)
		return false;
	fflush(stdout);
	if (!v->found)
		warnx("%s: no module that was counted has such a source file", only);
	else if (!v->options->all)
		warnx("%s: nothing was counted in it; -a shows it", only);
	return !v->found;
}

/* For qsort: parts in the order of a table, by pointers to them. */
static int table_order(const void *va, const void *vb)
{
	return most_first(*(const struct part *const *)va, *(const struct part *const *)vb);
}

/* Print functions, or lines, the ones with most first: of thousands mostly few have counts. */
static void print_table(const struct view *v, const struct part *part, size_t n)
{
	const struct part **row = memory(reallocarray(NULL, n + 1, sizeof(*row)));
	const struct options *o = v->options;
	size_t shown = 0;

	for (size_t i = 0; i < n; i++)
		if ((parts_has(&part[i].c) || (o->all && part[i].c.of > 0)) &&
		    (o->by != BY_LINE || wanted(v, part[i].name)))
			row[shown++] = &part[i];
	qsort(row, shown, sizeof(*row), table_order);
	if (v->how->titles && shown > 0)
		puts(v->how->titles);
	for (size_t i = 0; i < shown; i++)
		print_part(v, row[i]);
	free(row);
}

/* A source file: those of a module's lines that are in it. */
struct source {
	struct part *line;
	size_t n;
	struct part whole; /* their sum, under the file's name */
};

/* Print a file's text with its counts beside it; lines that the text lacks follow as a table. */
static void print_source(const struct view *v, const struct source *s, struct sources_text *before)
{
	static const struct counts none;
	const struct part *part = s->line, *end = s->line + s->n;
	size_t size;
	char *text = sources_read(before, s->whole.name, &size), *at = text, *stop = text + size;

	title(v, s->whole.name, &s->whole.c);
	for (uint32_t line = 1; at < stop; line++) {
		char *newline = memchr(at, '\n', (size_t)(stop - at));
		int length = (int)((newline ? newline : stop) - at);

		print_margin(v, part < end && part->line == line ? &part++->c : &none);
		printf("%6lu%s%.*s\n", (unsigned long)line, length ? "  " : "", length, at);
		at += length + 1; /* past the newline */
	}
	while (part < end)
		print_part(v, part++);
	free(text);
}

/* For qsort: files in the order that their sums would have in a table. */
static int source_order(const void *va, const void *vb)
{
	const struct source *a = va, *b = vb;

	return most_first(&a->whole, &b->whole);
}

/* Group lines, which come in the order of their files, by file. The caller frees the result. */
static struct source *collect(struct part *line, size_t n, size_t *nfiles)
{
	struct source *s = memory(calloc(n + 1, sizeof(*s)));

	*nfiles = 0;
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || line[i - 1].file != line[i].file)
			s[(*nfiles)++] = (struct source){.line = &line[i], .whole = line[i]};
		s[*nfiles - 1].n++;
	}
	for (size_t i = 0; i < *nfiles; i++)
		s[i].whole.c = parts_sum(s[i].line, s[i].n);
	qsort(s, *nfiles, sizeof(*s), source_order);
	return s;
}

/* Print the source files that have counts, or all, and last what belongs to no line. */
static void print_sources(const struct view *v, struct part *line, size_t n)
{
	size_t nfiles, i;
	struct source *s = collect(line, n, &nfiles);
	struct sources_text *before = memory(calloc(nfiles + 1, sizeof(*before)));

	for (i = 0; i < nfiles; i++)
		if ((v->options->all || parts_has(&s[i].whole.c)) && s[i].line->line &&
		    wanted(v, s[i].whole.name))
			print_source(v, &s[i], before);
	/* Code without a line is first in the array, and it has no file to be shown in. */
	if (n > 0 && line[0].line == 0 && parts_has(&line[0].c) && !v->options->only)
		print_part(v, &line[0]);
	free(before);
	free(s);
}

/* Print the lines above a module's counts. */
static void print_title(const struct view *v, const struct module *m)
{
	title(v, m->title, &v->whole);
	if (v->how->sums)
		v->how->sums(m);
}

/* Show a module whose file tells nothing: its sum, as of one unknown function. */
static void print_unknown(struct view *v, const struct module *m)
{
	v->whole = (struct counts){
		.total = m->total, .peak = m->memory.peak, .ever = m->memory.total,
	};
	print_title(v, m);
	print_part(v, &(struct part){.name = "?", .c = v->whole});
}

/* Show a module's functions or lines. Return whether it could be shown as was asked for. */
static bool print_parts(struct view *v, const struct module *m, const struct parts *p)
{
	bool by_function = v->options->by == BY_FUNCTION;
	bool functions = by_function || !p->has_lines;
	struct part *part;
	size_t n;

	if (p->without)
		warnx("%s: its source lines: %s", m->title, p->without);
	else if (!by_function && !p->has_lines)
		warnx("%s: it has no source lines", m->title);
	part = functions ? parts_functions(p, &n) : parts_lines(p, &n);
	v->whole = parts_sum(part, n);
	print_title(v, m);
	if (functions) {
		print_table(v, part, n);
	} else {
		look(v, part, n);
		if (v->options->by == BY_SOURCE)
			print_sources(v, part, n);
		else
			print_table(v, part, n);
	}
	free(part);
	return p->has_lines || (by_function && !p->without);
}

/* Show a module. Return whether it could be shown as was asked for. */
static bool print_module(struct view *v, const struct module *m)
{
	const char *bad;
	struct parts p;
	bool good = false, lines;

	v->entries = v->how->covers && strcmp(m->name, MODULES_KERNEL) == 0;
	/* Functions with counts can do without the table of all instructions, which is large. */
	lines = v->options->by != BY_FUNCTION;
	if (!v->entries)
		lines |= v->how->covers || v->options->all;
	bad = parts_open(&p, m, lines, v->entries);
	fflush(stdout); /* so that warnings stand where they belong */
	if (bad) {
		warnx("%s: %s", m->title, bad);
		print_unknown(v, m);
	} else {
		good = print_parts(v, m, &p);
	}
	parts_close(&p);
	return good;
}

/* Show all modules that have counts, or write them to a file. Return an exit status. */
static int show(const struct present *how, const struct options *o, uint32_t interval)
{
	struct view v = {.how = how, .options = o};
	bool good = true;
	struct module *m;
	size_t n;

	if (o->saved) {
		modules_write(o->saved, how->kind, interval, o->out);
		return 0;
	}
	m = modules_read(&n, o->out);
	for (size_t i = 0; i < n; i++)
		good &= print_module(&v, &m[i]);
	if (n == 0)
		warnx("nothing was counted");
	return missed(&v) || !good;
}

/* Print how the command is used, as usage() does. */
static void __attribute__((noreturn)) usage_of(const struct present *how, int letter)
{
	const char *name = getprogname(), *common = "[-aLl] [-f file] [-w file]";
	char text[256];
	int n = snprintf(text, sizeof(text),
			 "%s %s [-m module] [-o file] %scommand [argument ...]\n"
			 "       %s %s", name, common, how->usage, name, common);

	if (how->also)
		snprintf(text + n, sizeof(text) - (size_t)n, "\n       %s %s", name, how->also);
	usage(letter, text);
}

/* Take an option that all the commands have and that matters without a command, too. */
static bool take_option(struct options *o, int letter, const char *argument)
{
	if ((letter == 'L' && o->by == BY_SOURCE) || (letter == 'l' && o->by == BY_LINE))
		errx(2, "-l and -L exclude each other");
	if (letter == 'a')
		o->all = true;
	else if (letter == 'f')
		o->only = argument;
	else if (letter == 'L')
		o->by = BY_LINE;
	else if (letter == 'l')
		o->by = BY_SOURCE;
	else if (letter == 'w')
		o->saved = argument;
	else
		return false;
	return true;
}

/* Take the options; the command begins at optind. */
static void take_options(struct options *o, const struct present *how, int argc, char **argv)
{
	bool to_run = false; /* there is an option that only a command can be run with */
	char letters[32];
	int c;

	o->module = memory(calloc((size_t)argc, sizeof(*o->module)));
	snprintf(letters, sizeof(letters), "af:hLlm:o:w:%s", how->options);
	while ((c = getopt(argc, argv, letters)) != -1) {
		if (c == 'h' || c == '?')
			usage_of(how, c);
		if (take_option(o, c, optarg))
			continue;
		to_run = true;
		if (c == 'm')
			o->module[o->nmodule++] = optarg;
		else if (c == 'o')
			run_output(optarg);
		else
			how->option(c, optarg);
	}
	if (o->saved && (o->all || o->only || o->by != BY_FUNCTION))
		errx(2, "-%c has no effect with -w",
		     o->all ? 'a' : o->only ? 'f' : o->by == BY_LINE ? 'L' : 'l');
	/* A source file alone is asked for: it is shown as such. */
	if (o->only && o->by == BY_FUNCTION)
		o->by = BY_SOURCE;
	if (optind == argc && to_run)
		usage_of(how, '?');
}

/* Say how much the counts lack since then, if that is much. */
static void print_loss(const struct loss *before)
{
	char line[TICKS_LINE];
	struct loss now;

	if (!loss_read(&now, "any"))
		return;
	loss_since(&now, before);
	if (*loss_line(&now, "shares", line))
		puts(line);
}

/* End the program if the source file that -f gives will not be there, before the command runs. */
static void check_source(const struct options *o, const char *command)
{
	const char *lack = NULL;

	if (o->only)
		lack = sources_lack(o->only, o->module, o->nmodule, command);
	if (lack)
		errx(1, "%s: %s", o->only, lack);
}

/*
 * Return the name of this program, unless it is asked for: what it does between fork and exec is
 * counted, but not the command's. command is NULL when none is run.
 */
static const char *own_name(const struct options *o, const char *command)
{
	const char *own = getprogname();
	char *name = path_base(command ? command : "");
	bool asked = o->all || strcmp(name, own) == 0;

	free(name);
	for (size_t i = 0; i < o->nmodule; i++) {
		name = path_base(o->module[i]);
		asked |= strcmp(name, own) == 0;
		free(name);
	}
	return asked ? NULL : own;
}

int present(const struct present *how, int argc, char **argv)
{
	struct options o = {.by = BY_FUNCTION};
	uint32_t interval = 0;
	struct loss before;
	int bad, status;

	take_options(&o, how, argc, argv);
	o.out = own_name(&o, argv[optind]);
	if (optind == argc)
		return show(how, &o, 0);
	check_source(&o, argv[optind]);
	modules_want(o.module, o.nmodule);
	if (how->prepare)
		interval = how->prepare();
	/* The command's own failure matters more than one to show it. */
	if (how->ticks)
		loss_read(&before, "any");
	status = modules_run(argv + optind, how->start);
	run_report();
	if (how->ticks)
		print_loss(&before);
	bad = show(how, &o, interval);
	modules_ctl("end", "cannot end");
	return status ? status : bad;
}
