/* What gnomon run says when a machine has ended: see tell.h. */
#include <stdio.h>
#include <unistd.h>
#include "tools/run/repeat.h"
#include "tools/run/tell.h"

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
