/*
 * calls: how long calls of the kernel's functions took, by function, as kpcall(5) has it; or a
 * function's histogram, by powers of two.
 */
#include <err.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "userland/command/memory.h"
#include "userland/command/run.h"
#include "userland/command/usage.h"
#include "userland/files/whole.h"
#include "userland/profile/symtab.h"

#define CTL "/dev/kpctl"
#define CALLS "/dev/kpcall"
#define KERNEL "/boot/gnomon"
#define SPANS 64
#define BAR 40 /* characters of the longest bar */

static const char synopsis[] =
	"calls [-H function] [-k kernel] [-s key] -m words command [argument ...]\n"
	"       calls [-H function] [-f file] [-k kernel] [-s key]";

/* What the table shows of a function, in this order, and may be sorted by. */
enum { NUMBER, TOTAL, OWN, MEAN, LONGEST, AWAY, NCOLUMN };

static const char *const keys[NCOLUMN] = {"calls", "total", "own", "mean", "longest", "away"};

struct function {
	unsigned long long value[NCOLUMN]; /* times in units of the clock */
	unsigned long long span[SPANS];	 /* how many calls took 2^i to 2^(i+1) - 1 of them */
	const char *name;
};

static struct symtab kernel;
static struct function *functions;
static size_t nfunction;
static unsigned long long per_ms, lost, left, pairs, said;
static int sorted_by = TOTAL;

/* Return the number after the key, or 0 if the line has none. */
static unsigned long long key(const char *line, const char *name)
{
	const char *at = strstr(line, name);

	return at ? strtoull(at + strlen(name), NULL, 10) : 0;
}

/* Return the time in nanoseconds. */
static unsigned long long nanoseconds(unsigned long long units)
{
	return units / per_ms * 1000000 + units % per_ms * 1000000 / per_ms;
}

/* Return the function of that name, of which nothing is known yet if it is new. */
static struct function *function_of(const char *name)
{
	size_t i = 0;

	while (i < nfunction && strcmp(functions[i].name, name) != 0)
		i++;
	if (i < nfunction)
		return &functions[i];
	functions = memory(realloc(functions, ++nfunction * sizeof(*functions)));
	functions[i] = (struct function){.name = name};
	return &functions[i];
}

/* Add a pair: PROCESSOR;FROM;FUNCTION CALLS TOTAL OWN AWAY SHORTEST LONGEST SPAN:CALLS ... */
static void add_pair(const char *file, char *line)
{
	char *at = strrchr(line, ';');
	const struct symtab_function *s;
	struct function *f;
	unsigned long long v[6];

	if (!at)
		errx(1, "%s: not a file of calls: %s", file, line);
	s = symtab_find(&kernel, (uint32_t)strtoul(at + 1, &at, 16));
	f = function_of(s ? s->name : "?");
	for (int i = 0; i < 6; i++)
		v[i] = strtoull(at, &at, 10);
	f->value[NUMBER] += v[0];
	f->value[TOTAL] += v[1];
	f->value[OWN] += v[2];
	f->value[AWAY] += v[3];
	if (v[5] > f->value[LONGEST])
		f->value[LONGEST] = v[5];
	while (*at == ' ') {
		unsigned long span = strtoul(at, &at, 10);
		if (*at++ != ':' || span >= SPANS)
			errx(1, "%s: not a file of calls: %s", file, line);
		f->span[span] += strtoull(at, &at, 10);
	}
	pairs++;
}

/* Take a line that tells of the file, or of a processor. */
static void take_head(const char *file, const char *line)
{
	const char *build = strstr(line, " build=");

	if (per_ms == 0) {
		per_ms = key(line, " per_ms=");
		if (strncmp(line, "# kpcall version=1 ", 19) != 0 || !build || per_ms == 0)
			errx(1, "%s: not a file of calls", file);
		if (strncmp(build + 7, kernel.buildid, strlen(kernel.buildid)) != 0)
			errx(1, "the kernel is not the one that %s is of", file);
	}
	lost += key(line, " lost=");
	left += key(line, " left=");
	if (strncmp(line, "# pairs=", 8) == 0)
		said = key(line, "pairs=") + 1;
}

static void read_calls(const char *file)
{
	size_t n;
	char *next, *text = whole_need(file, &n);

	for (char *line = text; *line; line = next) {
		next = strchr(line, '\n');
		if (!next)
			break;
		*next++ = 0;
		if (*line == '#' || per_ms == 0)
			take_head(file, line);
		else
			add_pair(file, line);
	}
	if (said != pairs + 1)
		errx(1, "%s: not a file of calls, or not all of one", file);
	for (size_t i = 0; i < nfunction; i++)
		if (functions[i].value[NUMBER] > 0)
			functions[i].value[MEAN] =
				functions[i].value[TOTAL] / functions[i].value[NUMBER];
	free(text);
}

/* Put the largest first. */
static int compare(const void *a, const void *b)
{
	const struct function *f = a, *g = b;

	if (f->value[sorted_by] != g->value[sorted_by])
		return f->value[sorted_by] < g->value[sorted_by] ? 1 : -1;
	return strcmp(f->name, g->name);
}

static void show_table(void)
{
	qsort(functions, nfunction, sizeof(*functions), compare);
	printf("%9s %11s %11s %9s %11s %11s  function\n", "calls", "total us", "own us", "mean us",
	       "longest us", "away us");
	for (size_t i = 0; i < nfunction; i++) {
		const struct function *f = &functions[i];
		unsigned long long ns = nanoseconds(f->value[MEAN]);

		printf("%9llu %11llu %11llu %5llu.%03llu %11llu %11llu  %s\n", f->value[NUMBER],
		       nanoseconds(f->value[TOTAL]) / 1000, nanoseconds(f->value[OWN]) / 1000,
		       ns / 1000, ns % 1000, nanoseconds(f->value[LONGEST]) / 1000,
		       nanoseconds(f->value[AWAY]) / 1000, f->name);
	}
	if (lost)
		printf("%llu calls were lost\n", lost);
	if (left)
		printf("%llu calls never returned\n", left);
}

/* Show how many calls of the function took how long. */
static void show_histogram(const char *name)
{
	const struct function *f = function_of(name);
	int first = SPANS, last = -1;
	unsigned long long most = 1;

	for (int i = 0; i < SPANS; i++) {
		if (f->span[i] == 0)
			continue;
		if (first > i)
			first = i;
		last = i;
		if (f->span[i] > most)
			most = f->span[i];
	}
	if (last < 0)
		errx(1, "%s: no call of it is over", name);
	printf("%14s %9s  %s\n", "from us", "calls", name);
	for (int i = first; i <= last; i++) {
		unsigned long long ns = nanoseconds(1ull << i);
		int bar = (int)((f->span[i] * BAR + most - 1) / most);

		printf("%10llu.%03llu %9llu  %.*s\n", ns / 1000, ns % 1000, f->span[i], bar,
		       "########################################");
	}
}

/* Run the command while calls of the functions are measured. Return its status as sh(1) has it. */
static int measure(char **command, const char *words)
{
	char message[300];
	int status;

	if (snprintf(message, sizeof(message), "calls %s", words) >= (int)sizeof(message))
		errx(2, "-m: too long");
	whole_write(CTL, message);
	whole_write(CTL, "startclr");
	status = run_wait(command);
	whole_write(CTL, "stop");
	run_report();
	return status;
}

/* Return which column has that name. */
static int column(const char *name)
{
	for (int i = 0; i < NCOLUMN; i++)
		if (strcmp(keys[i], name) == 0)
			return i;
	errx(2, "-s %s: calls, total, own, mean, longest or away expected", name);
}

int main(int argc, char **argv)
{
	const char *file = CALLS, *image = KERNEL, *histogram = NULL, *words = NULL;
	int c, status = 0;

	while ((c = getopt(argc, argv, "+H:f:hk:m:s:")) != -1) {
		if (c == 'H')
			histogram = optarg;
		else if (c == 'f')
			file = optarg;
		else if (c == 'k')
			image = optarg;
		else if (c == 'm')
			words = optarg;
		else if (c == 's')
			sorted_by = column(optarg);
		else
			usage(c, synopsis);
	}
	if (!words != (optind == argc) || (words && strcmp(file, CALLS) != 0))
		usage('?', synopsis);
	symtab_read(&kernel, image);
	if (words)
		status = measure(argv + optind, words);
	read_calls(file);
	if (words)
		whole_write(CTL, "calls off");
	if (histogram)
		show_histogram(histogram);
	else
		show_table();
	return status;
}
