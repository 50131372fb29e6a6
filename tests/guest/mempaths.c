/* Memory by paths of calls: kpmem(5), prof(3). P4, P10. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/guest/modules.h"
#include "tests/guest/tap.h"

#define WINDOW 128u /* bytes; each function below occupies as many */
#define ALONE __attribute__((noinline, noclone, aligned(WINDOW)))

/* It keeps the compiler from knowing what happens to the memory. */
static void *volatile sink;

static ALONE void *by_calloc(size_t n)
{
	return sink = calloc(n / 4, 4);
}

/* Text of kpmem that must have the end of each path which on_path() finds. */
static char *known;

/* Check that the end of a path is known, and that its last two addresses are not of one call. */
static void must_be_known(const char *path)
{
	const char *blank = strchr(path, ' ');
	uint32_t last = (uint32_t)strtoul(blank - 10, NULL, 16);
	char text[1024];

	snprintf(text, sizeof(text), "%.*s ", (int)(blank - path), path);
	must(known == NULL || strstr(known, text) != NULL);
	must((uint32_t)strtoul(blank - 21, NULL, 16) != last + 1);
}

/*
 * Return the bytes on the lines of kpmem of this program, in use or freed, that have addresses in
 * those two functions one after the other, the caller first.
 */
static uint32_t on_path(const char *what, const void *first, const void *second)
{
	const char *line = tap_read("/dev/kpmem"), *end;
	uint32_t sum = 0, at, last;
	char begin[40];

	snprintf(begin, sizeof(begin), "mempaths;[%s];", what);
	for (; *line; line = end + 1) {
		end = strchr(line, '\n');
		must(end != NULL);
		if (strncmp(line, begin, strlen(begin)) != 0)
			continue;
		last = 0;
		for (const char *p = line; (p = strstr(p, ";0x")) != NULL && p < end; p++) {
			at = (uint32_t)strtoul(p + 1, NULL, 16);
			if (last - (uint32_t)(uintptr_t)first < WINDOW &&
			    at - (uint32_t)(uintptr_t)second < WINDOW) {
				must_be_known(p);
				sum += (uint32_t)strtoul(strchr(p, ' '), NULL, 10);
			}
			last = at;
		}
	}
	return sum;
}

static ALONE void *by_calloc_once(size_t n)
{
	return by_calloc(n);
}

static ALONE void *by_calloc_twice(size_t n)
{
	by_calloc(n);
	return by_calloc(n);
}

/* Of each block the path of calls is known, also through the library. */
static void P4_paths(void)
{
	must(ctl("end") == 0 && ctl("module mempaths") == 0 && ctl("startmp paths") == 0);
	void *a = by_calloc_once(400), *b = by_calloc_twice(80);
	must(on_path("in_use", by_calloc_twice, by_calloc) == 160);
	must(on_path("in_use", by_calloc_once, by_calloc) == 400);
	must(on_path("freed", by_calloc_once, by_calloc) == 0);
	free(a);
	free(b);
	must(on_path("in_use", by_calloc_twice, by_calloc) == 80);
	must(on_path("freed", by_calloc_twice, by_calloc) == 80);
	must(on_path("freed", by_calloc_once, by_calloc) == 400);
	must(ctl("stop") == 0 && ctl("startmp") == 0); /* without paths */
	free(by_calloc_once(400));
	must(on_path("freed", by_calloc_once, by_calloc) == 400);
	must(ctl("end") == 0);
	must(strstr(tap_read("/dev/kpmem"), "blocks=0") != NULL);
}

static ALONE int make_pipe(int fd[2])
{
	return pipe(fd);
}

/* Return the bytes in use of the kernel on paths that begin in a function of this program. */
static uint32_t kernel_has(const void *fn)
{
	return on_path("in_use", fn, pipe);
}

/* Those of the kernel begin in the program, and are the same while calls are measured. */
static void P10_paths_of_the_kernel(void)
{
	uint32_t has[2];
	int fd[2];

	must(ctl("end") == 0 && ctl("module kernel") == 0 && ctl("startmp 1 paths") == 0);
	for (int measured = 0; measured < 2; measured++) {
		if (measured) {
			known = strdup(tap_read("/dev/kpmem"));
			must(known != NULL);
			tap_write("/dev/kpctl", "calls *");
			tap_write("/dev/kpctl", "start");
		}
		must(make_pipe(fd) == 0);
		has[measured] = kernel_has(make_pipe);
		must(has[measured] > 4096 && has[measured] < 6000);
		close(fd[0]);
		close(fd[1]);
		must(kernel_has(make_pipe) == 0);
	}
	tap_write("/dev/kpctl", "calls off");
	tap_write("/dev/kpctl", "stop");
	must(has[0] == has[1] && strstr(tap_read("/dev/kpmem"), "overflow=0") != NULL);
	free(known);
	known = NULL;
	must(ctl("end") == 0);
}

static const struct tap_case cases[] = {
	{"P4 paths of calls to memory", P4_paths},
	{"P10 the kernel's paths begin in programs", P10_paths_of_the_kernel},
};

int main(void)
{
	return tap_run(cases, nelem(cases));
}
