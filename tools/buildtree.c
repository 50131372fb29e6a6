/* The build tree: see buildtree.h. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tools/buildtree.h"

int buildtree_folder(char *path, size_t size, struct complaint *why)
{
	const char *env = getenv("GNOMON_BUILD");
	ssize_t n;

	if (env && *env) {
		snprintf(path, size, "%s", env);
		return 0;
	}
	n = readlink("/proc/self/exe", path, size - 1);
	if (n < 0)
		return complain(why, "/proc/self/exe: %s", strerror(errno));
	path[n] = 0;
	*strrchr(path, '/') = 0;
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
