/* prof: shows where programs and the kernel spend their time, by function. */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "modules.h"

#define INTERVAL "10" /* ms */

static void usage(FILE *to)
{
	fprintf(to, "usage: prof [-m module] [-s ms] command [argument ...]\n       prof\n");
	exit(to == stdout ? 0 : 2);
}

static void line(uint64_t n, uint64_t total, const char *name)
{
	unsigned permille = (unsigned)((n * 1000 + total / 2) / total);

	printf("%8llu %3u.%u%%  %s\n", (unsigned long long)n, permille / 10, permille % 10, name);
}

static void title(const struct module *m)
{
	printf("%s: %llu samples\n", m->path, (unsigned long long)m->total);
}

static void print(const struct module *m)
{
	size_t n, i;
	struct module_function *f = modules_functions(m, false, &n);

	title(m);
	for (i = 0; i < n; i++)
		line(f[i].total, m->total, f[i].name);
}

static void blank(const struct module *m)
{
	title(m);
	line(m->total, m->total, "?");
}

int main(int argc, char **argv)
{
	char **wanted = calloc((size_t)argc, sizeof(*wanted)), interval[32] = "interval " INTERVAL;
	int c, bad, status;
	size_t n = 0;

	if (!wanted)
		err(1, "memory");
	while ((c = getopt(argc, argv, "hm:s:")) != -1) {
		if (c == 'm')
			wanted[n++] = optarg;
		else if (c == 's')
			snprintf(interval, sizeof(interval), "interval %s", optarg);
		else
			usage(c == 'h' ? stdout : stderr);
	}
	if (optind == argc && argc > 1)
		usage(stderr);
	if (optind == argc)
		return modules_each(print, blank);
	modules_want(wanted, n);
	modules_ctl(interval, interval);
	status = modules_run(argv + optind, "start");
	bad = modules_each(print, blank);
	modules_ctl("end", "cannot end");
	return status ? status : bad;
}
