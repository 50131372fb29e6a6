/*
 * lcov's tracefile, of which genhtml makes pages: for each source file its functions with how often
 * they were entered, and the lines that have code with their counts, which are those of gnomon
 * report --lines. The format is in geninfo(1), under FILES.
 */
#include <inttypes.h>
#include <unistd.h>
#include "tools/export/export.h"
#include "tools/export/sources.h"

struct writer {
	const struct export *x;
	FILE *to;
};

/* Return how many of n rows have a count. */
static size_t hit(const struct sources_row *row, size_t n)
{
	size_t i, found = 0;

	for (i = 0; i < n; i++)
		found += row[i].count > 0;
	return found;
}

static void put_functions(FILE *to, const struct sources_row *row, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		fprintf(to, "FN:%u,%s\n", row[i].line, row[i].function);
	for (i = 0; i < n; i++)
		fprintf(to, "FNDA:%" PRIu64 ",%s\n", row[i].count, row[i].function);
	fprintf(to, "FNF:%zu\nFNH:%zu\n", n, hit(row, n));
}

static void put_lines(FILE *to, const struct sources_row *row, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		fprintf(to, "DA:%u,%" PRIu64 "\n", row[i].line, row[i].count);
	fprintf(to, "LF:%zu\nLH:%zu\n", n, hit(row, n));
}

/* Write a file that is here; genhtml would refuse others. */
static void put_file(void *arg, const struct sources_file *file)
{
	struct writer *w = arg;

	if (access(file->path, R_OK) != 0) {
		fprintf(stderr, "gnomon export: %s: %s is left out: it is not here\n", w->x->file,
			file->path);
		return;
	}
	fprintf(w->to, "TN:\nSF:%s\n", file->path);
	put_functions(w->to, file->function, file->nfunction);
	put_lines(w->to, file->line, file->nline);
	fputs("end_of_record\n", w->to);
}

int export_lcov(struct export *x, FILE *to, struct complaint *why)
{
	struct writer w = {.x = x, .to = to};
	struct sources sources;

	if (sources_open(&sources, x, "lcov", why) < 0)
		return -1;
	sources_each(&sources, put_file, &w);
	sources_close(&sources);
	return 0;
}
