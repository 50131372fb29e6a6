/* What gnomon run says when a machine has ended: see tell.h. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tools/memory.h"
#include "tools/profile/nothing.h"
#include "tools/profile/profread.h"
#include "tools/run/repeat.h"
#include "tools/run/tell.h"

#define MOST (4 << 20) /* bytes of a file that is read: one without counts has no more */

bool tell_watched(const struct runopts *o)
{
	return o->verbose || isatty(STDERR_FILENO);
}

void tell_files(const struct runopts *o, const char *base, const char *dir)
{
	const char *before = "gnomon run: wrote ";
	char first[16];
	unsigned i;

	if (!tell_watched(o))
		return;
	if (o->repeat > 1 && o->nfetch > 0) {
		repeat_name(first, sizeof(first), 1, o->repeat);
		fprintf(stderr, "gnomon run: wrote the files of each run, in %s/%s to %s\n",
			base, first, dir);
		return;
	}
	for (i = 0; i < o->nfetch; i++) {
		if (!o->fetch[i].done)
			continue;
		fprintf(stderr, "%s%s/%s", before, dir, o->fetch[i].name);
		before = ", ";
	}
	if (*before == ',')
		fputc('\n', stderr);
}

/* Say so of one file. What is no profile, or is damaged, who reads it is told. */
static void tell_if_empty(const char *path)
{
	struct complaint none;
	struct profdata p;
	const char *why;
	uint8_t *data;
	size_t n;
	int bad;

	if (profread_bytes(path, &data, &n, &none) < 0)
		return;
	bad = profread_data(&p, path, data, n, &none);
	free(data);
	if (bad)
		return;
	why = nothing_why(&p);
	if (why)
		fprintf(stderr, "gnomon run: %s: %s\n", path, why);
	profdata_free(&p);
}

void tell_empty(const struct runopts *o, const char *dir)
{
	struct stat st;
	unsigned i;
	char *path;

	for (i = 0; i < o->nfetch; i++) {
		path = memory_format("%s/%s", dir, o->fetch[i].name);
		if (o->fetch[i].done && stat(path, &st) == 0 && st.st_size <= MOST)
			tell_if_empty(path);
		free(path);
	}
}

void tell_failed(const struct runopts *o, unsigned nth, const char *dir)
{
	fprintf(stderr, "gnomon run: run %u of %u failed: what came of it is in %s, and no "
		"more were begun\n", nth, o->repeat, dir);
}

void tell_alike(const struct runopts *o, const char *base)
{
	if (o->repeat < 2 || o->nfetch == 0)
		return;
	if (repeat_alike(base, o->repeat, o->fetch, o->nfetch))
		fprintf(stderr, "gnomon run: all %u runs brought back the same, to the bit: "
			"nothing tells how much runs vary; with --icount off they do\n", o->repeat);
}
