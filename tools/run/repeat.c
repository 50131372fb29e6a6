/* The folders of several runs: see repeat.h. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/run/repeat.h"
#include "tools/slurp.h"

void repeat_name(char *name, size_t size, unsigned i, unsigned n)
{
	snprintf(name, size, "%0*u", snprintf(NULL, 0, "%u", n), i);
}

/* Return whether a name is that of one of n runs. */
static bool is_ours(const char *name, unsigned n)
{
	unsigned long i = strtoul(name, NULL, 10);
	char ours[16];

	if (i < 1)
		return false;
	if (i > n)
		return false;
	repeat_name(ours, sizeof(ours), i, n);
	return strcmp(name, ours) == 0;
}

/* Return whether a name has digits only. */
static bool is_number(const char *name)
{
	return name[strspn(name, "0123456789")] == 0;
}

int repeat_check(const char *dir, unsigned n, struct complaint *why)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	int bad = 0;

	if (!d)
		return 0;
	while (!bad && (e = readdir(d)) != NULL)
		if (is_number(e->d_name) && !is_ours(e->d_name, n))
			bad = complain(why, "%s/%s is of other runs than these %u: remove it, or "
				       "choose another folder with -o", dir, e->d_name, n);
	closedir(d);
	return bad;
}

/* Read a file of the i-th run. Return it, for the caller to free; NULL: it cannot be read. */
static uint8_t *read_one(const char *dir, unsigned i, unsigned n, const char *name, size_t *size)
{
	struct complaint none;
	uint8_t *data = NULL;
	char run[16], *path;

	repeat_name(run, sizeof(run), i, n);
	path = memory_format("%s/%s/%s", dir, run, name);
	if (slurp(path, &data, size, &none) < 0)
		data = NULL;
	free(path);
	return data;
}

/* Return whether a file is the same in all runs. */
static bool alike(const char *dir, unsigned n, const char *name)
{
	size_t size, other_size;
	uint8_t *data = read_one(dir, 1, n, name, &size), *other;
	bool same = data != NULL;
	unsigned i;

	for (i = 2; i <= n && same; i++) {
		other = read_one(dir, i, n, name, &other_size);
		if (!other || other_size != size)
			same = false;
		else
			same = memcmp(other, data, size) == 0;
		free(other);
	}
	free(data);
	return same;
}

bool repeat_alike(const char *dir, unsigned n, const struct fetch_file *file, unsigned nfile)
{
	unsigned i;

	for (i = 0; i < nfile; i++)
		if (!alike(dir, n, file[i].name))
			return false;
	return true;
}
