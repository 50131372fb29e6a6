/* cprof: shows how often instructions of programs ran, by function. */
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "modules.h"

static bool all; /* functions that did not run too */

static void usage(FILE *to)
{
	fprintf(to, "usage: cprof [-a] [-m module] command [argument ...]\n       cprof [-a]\n");
	exit(to == stdout ? 0 : 2);
}

static void title(const struct module *m)
{
	printf("%s: %llu instructions\n", m->path, (unsigned long long)m->total);
}

static void line(const struct module *m, const struct module_function *f)
{
	unsigned permille = (unsigned)((f->total * 1000 + m->total / 2) / m->total);

	printf("%12llu %3u.%u%% %8lu  %s\n", (unsigned long long)f->total, permille / 10,
	       permille % 10, (unsigned long)f->first, f->name);
}

static void print(const struct module *m)
{
	size_t n, i;
	struct module_function *f = modules_functions(m, all, &n);

	title(m);
	for (i = 0; i < n; i++)
		line(m, &f[i]);
}

static void blank(const struct module *m)
{
	struct module_function f = {.name = "?", .total = m->total};

	title(m);
	line(m, &f);
}

int main(int argc, char **argv)
{
	char **wanted = calloc((size_t)argc, sizeof(*wanted));
	int c, bad, status;
	size_t n = 0;

	if (!wanted)
		err(1, "memory");
	while ((c = getopt(argc, argv, "ahm:")) != -1) {
		if (c == 'a')
			all = true;
		else if (c == 'm')
			wanted[n++] = optarg;
		else
			usage(c == 'h' ? stdout : stderr);
	}
	if (optind == argc && n > 0)
		usage(stderr);
	if (optind == argc)
		return modules_each(print, blank);
	modules_want(wanted, n);
	status = modules_run(argv + optind, "startcp");
	bad = modules_each(print, blank);
	modules_ctl("end", "cannot end");
	return status ? status : bad;
}
