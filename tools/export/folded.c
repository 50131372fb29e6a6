/*
 * Folded paths, for flamegraph.pl and its like: "sh;[kernel];main;read 12", a path of names
 * and a count on each line.
 */
#include <inttypes.h>
#include <stdlib.h>
#include "tools/export/export.h"
#include "tools/export/names.h"
#include "tools/memory.h"

/* Write a name, after a separator if it is not the first. Separators in it become "_". */
static void put_name(FILE *to, const char *name, bool first)
{
	if (!first)
		putc(';', to);
	for (; *name; name++) {
		if (*name == ';' || (unsigned char)*name <= ' ')
			putc('_', to);
		else
			putc(*name, to);
	}
}

/* Write a sample's line without its count. */
static void put_path(struct export *x, const struct profdata_sample *s, FILE *to)
{
	char buf[512];
	const char *root[2];
	size_t i, n, nroot = export_roots(x, s, root);
	const struct step *step = export_path(x, s, &n);

	for (i = 0; i < nroot; i++)
		put_name(to, root[i], i == 0);
	for (i = 0; i < n; i++) {
		put_name(to, export_name(x, step[i].function, buf, sizeof(buf)), nroot + i == 0);
		if (x->options.lines && step[i].file)
			fprintf(to, ":%s:%u", step[i].file, step[i].line);
	}
}

/* Paths that differ only in addresses are one; lines come in the order of the samples. */
int export_folded(struct export *x, FILE *to, struct complaint *why)
{
	uint64_t *count = memory_zeroed(x->prof.nsample, sizeof(*count));
	struct names paths = {.n = 0};
	struct memory_stream line;
	size_t i;

	(void)why;
	memory_stream_open(&line);
	for (i = 0; i < x->prof.nsample; i++) {
		rewind(line.f);
		put_path(x, &x->prof.sample[i], line.f);
		putc(0, line.f);
		fflush(line.f);
		count[names_number(&paths, line.data)] += x->prof.sample[i].count;
		progress_add(&x->progress, 1);
	}
	for (i = 0; i < paths.n; i++)
		fprintf(to, "%s %" PRIu64 "\n", paths.name[i], count[i]);
	memory_stream_close(&line);
	free(line.data);
	free(count);
	names_free(&paths);
	return 0;
}
