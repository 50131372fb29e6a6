/* The build tree: see buildtree.h. */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tools/buildtree.h"
#include "tools/memory.h"

/* Where a program in PREFIX/bin finds what was installed with it. */
#define INSTALLED "../lib/gnomon"

/* Write the path of the running program's folder. Return 0, or -1 and *why. */
static int own_folder(char *path, size_t size, struct complaint *why)
{
	ssize_t n = readlink("/proc/self/exe", path, size - 1);

	if (n < 0)
		return complain(why, "/proc/self/exe: %s", strerror(errno));
	path[n] = 0;
	*strrchr(path, '/') = 0;
	return 0;
}

/* Return whether a folder, or the one of that name below it, has the kernel. */
static bool has_kernel(const char *folder, const char *below)
{
	char *path = memory_format("%s/%s/gnomon.elf", folder, below);
	bool yes = access(path, F_OK) == 0;

	free(path);
	return yes;
}

/* Find the folder, and tell whether it is an installed one. */
static int find(char *path, size_t size, bool *installed, struct complaint *why)
{
	const char *env = getenv("GNOMON_BUILD");
	char *below, *real;

	*installed = false;
	if (env && *env) {
		snprintf(path, size, "%s", env);
		return 0;
	}
	if (own_folder(path, size, why) < 0)
		return -1;
	*installed = !has_kernel(path, ".") && has_kernel(path, INSTALLED);
	if (!*installed)
		return 0;
	below = memory_format("%s/" INSTALLED, path);
	real = realpath(below, NULL);
	snprintf(path, size, "%s", real ? real : below);
	free(real);
	free(below);
	return 0;
}

int buildtree_folder(char *path, size_t size, struct complaint *why)
{
	bool installed;

	return find(path, size, &installed, why);
}

int buildtree_output(char *path, size_t size, struct complaint *why)
{
	char folder[PATH_MAX];
	bool installed;

	if (find(folder, sizeof(folder), &installed, why) < 0)
		return -1;
	snprintf(path, size, "%s%s", installed ? "" : folder, installed ? "out" : "/out");
	return 0;
}

int buildtree_file(char *path, size_t size, const char *given, const char *name,
		   struct complaint *why)
{
	char folder[PATH_MAX];

	if (given) {
		snprintf(path, size, "%s", given);
		return 0;
	}
	if (buildtree_folder(folder, sizeof(folder), why) < 0)
		return -1;
	snprintf(path, size, "%s/%s", folder, name);
	return 0;
}
