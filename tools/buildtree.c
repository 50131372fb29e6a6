/* The build tree: see buildtree.h. */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tools/buildtree.h"
#include "tools/env.h"
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

/* Put the path in which no links are left in place of one, if there is one. */
static void buildtree_resolve(char *path, size_t size)
{
	char *real = realpath(path, NULL);

	if (real)
		snprintf(path, size, "%s", real);
	free(real);
}

/* Find the folder, and tell whether it is an installed one. */
static int buildtree_find(char *path, size_t size, bool *installed, struct complaint *why)
{
	const char *env = env_or("GNOMON_BUILD", NULL);
	char *below;

	*installed = false;
	if (env) {
		snprintf(path, size, "%s", env);
		return 0;
	}
	if (own_folder(path, size, why) < 0)
		return -1;
	if (has_kernel(path, "."))
		return 0;
	*installed = has_kernel(path, INSTALLED);
	if (!*installed)
		return 0;
	below = memory_format("%s/" INSTALLED, path);
	snprintf(path, size, "%s", below);
	buildtree_resolve(path, size);
	free(below);
	return 0;
}

int buildtree_folder(char *path, size_t size, struct complaint *why)
{
	bool installed;

	return buildtree_find(path, size, &installed, why);
}

int buildtree_output(char *path, size_t size, struct complaint *why)
{
	char folder[PATH_MAX];
	bool installed;

	if (buildtree_find(folder, sizeof(folder), &installed, why) < 0)
		return -1;
	if (installed)
		snprintf(path, size, "out");
	else
		snprintf(path, size, "%s/out", folder);
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
