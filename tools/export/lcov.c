/*
 * lcov's tracefile, of which genhtml makes pages: for each source file its functions with how often
 * they were entered, and the lines that have code with their counts, which are those of gnomon
 * report --lines. The format is in geninfo(1), under FILES.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tools/code/disasm.h"
#include "tools/export/export.h"
#include "tools/export/names.h"
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/profile/coverage.h"
#include "tools/sorted.h"

/* A count of a line, or of the function that begins there. */
struct row {
	uint32_t file;	      /* number of its path */
	unsigned line;	      /* 0: unknown */
	const char *function; /* "" in lines */
	uint64_t count;
};

struct rows {
	struct row *row;
	size_t n, room;
};

struct writer {
	struct export *x;
	struct names files; /* paths */
	struct rows lines, functions;
	uint64_t nowhere; /* counts of instructions whose line is not known */
};

/* For qsort: by file, line and name. */
static int compare_rows(const void *va, const void *vb)
{
	const struct row *a = va, *b = vb;

	if (a->file != b->file)
		return order(a->file, b->file);
	if (a->line != b->line)
		return order(a->line, b->line);
	return strcmp(a->function, b->function);
}

/* Add a row to another of the same place. */
static void add_count(void *to, const void *from)
{
	((struct row *)to)->count += ((const struct row *)from)->count;
}

static void add_row(struct rows *r, const struct row *row)
{
	r->row = memory_grow(r->row, &r->room, r->n + 1, sizeof(*row));
	r->row[r->n++] = *row;
}

/* Return the number of a source file, whose name may be relative to where the compiler ran. */
static uint32_t file_number(struct writer *w, struct image *elf, const char *name)
{
	const char *dir = image_source_dir(elf);
	uint32_t number;
	char *path;

	if (*name == '/' || !dir)
		return names_number(&w->files, name);
	path = memory_format("%s/%s", dir, name);
	number = names_number(&w->files, path);
	free(path);
	return number;
}

/* Add a count to the line of an instruction; it may be 0, and then the line is one with code. */
static void add_line(struct writer *w, struct image *elf, code_addr pc, uint64_t count)
{
	struct row row = {.function = "", .count = count};
	struct place place = image_line(elf, pc);

	if (!place.file) {
		w->nowhere += count;
		return;
	}
	row.file = file_number(w, elf, place.file);
	row.line = place.line;
	add_row(&w->lines, &row);
}

/* Add a function: how often its first instruction ran. */
static void add_function(struct writer *w, struct image *elf, const struct symbol *symbol,
			 const struct counts *c, code_addr second)
{
	size_t i = coverage_find(c, symbol->start), n;
	struct place place[IMAGE_PLACES];
	struct row row = {.function = symbol->name};

	n = image_places(elf, symbol->start, place);
	if (!place[n - 1].file)
		return;
	row.file = file_number(w, elf, place[n - 1].file);
	row.line = place[n - 1].line;
	if (i < c->n && c->at[i].pc < second)
		row.count = c->at[i].count;
	add_row(&w->functions, &row);
}

/*
 * Add a function and the lines that it has, whether they ran or not. Of a function of the kernel it
 * is only known how often it was called, and that if it begins with a no-op for the purpose.
 */
static void add_symbol(struct writer *w, struct image *elf, const struct symbol *symbol,
		       const struct counts *c)
{
	bool calls = w->x->prof.unit == PROFDATA_CALLS;
	struct complaint none;
	struct instruction *insn;
	size_t i, n;

	insn = disasm(elf, symbol->start, symbol->end, &n, &none);
	if (!insn)
		return;
	if (calls)
		n = n > 0 && disasm_is_fill(insn);
	if (n > 0)
		add_function(w, elf, symbol, c, insn->pc + insn->size);
	for (i = 0; i < n; i++)
		if (calls || !disasm_is_fill(&insn[i]))
			add_line(w, elf, insn[i].pc, 0);
	free(insn);
}

/* Gather what is known of an image, and sum it up by place with what is known of others. */
static void add_image(struct writer *w, struct image *elf, const struct counts *c)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		add_line(w, elf, c->at[i].pc, c->at[i].count);
	for (i = 0; i < elf->symbols.n; i++)
		add_symbol(w, elf, &elf->symbols.sym[i], c);
	w->lines.n = sorted_sum(w->lines.row, w->lines.n, sizeof(struct row), compare_rows,
				add_count);
	w->functions.n = sorted_sum(w->functions.row, w->functions.n, sizeof(struct row),
				    compare_rows, add_count);
}

/* Return how many of n rows have a count. */
static size_t hit(const struct row *row, size_t n)
{
	size_t i, found = 0;

	for (i = 0; i < n; i++)
		found += row[i].count > 0;
	return found;
}

/* Take the rows of a file from the beginning of those that are left. Return how many. */
static size_t take_file(const struct rows *r, size_t at, uint32_t file)
{
	size_t n = 0;

	while (at + n < r->n && r->row[at + n].file == file)
		n++;
	return n;
}

static void put_functions(FILE *to, const struct row *row, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		fprintf(to, "FN:%u,%s\n", row[i].line, row[i].function);
	for (i = 0; i < n; i++)
		fprintf(to, "FNDA:%" PRIu64 ",%s\n", row[i].count, row[i].function);
	fprintf(to, "FNF:%zu\nFNH:%zu\n", n, hit(row, n));
}

static void put_lines(FILE *to, const struct row *row, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		fprintf(to, "DA:%u,%" PRIu64 "\n", row[i].line, row[i].count);
	fprintf(to, "LF:%zu\nLH:%zu\n", n, hit(row, n));
}

/* Write all files that are here; genhtml would refuse others. */
static void put_files(struct writer *w, FILE *to)
{
	size_t line = 0, function = 0, nline, nfunction;
	const char *path;
	uint32_t file;

	for (file = 0; file < w->files.n; file++) {
		path = w->files.name[file];
		nline = take_file(&w->lines, line, file);
		nfunction = take_file(&w->functions, function, file);
		if (access(path, R_OK) == 0) {
			fprintf(to, "TN:\nSF:%s\n", path);
			put_functions(to, w->functions.row + function, nfunction);
			put_lines(to, w->lines.row + line, nline);
			fputs("end_of_record\n", to);
		} else {
			fprintf(stderr, "gnomon export: %s: %s is left out: it is not here\n",
				w->x->file, path);
		}
		line += nline;
		function += nfunction;
	}
}

/* Gather all images whose files are known. */
static void add_images(struct writer *w)
{
	const struct profdata *p = &w->x->prof;
	struct counts *all = coverage_all(p);
	uint32_t image;

	for (image = 0; image < p->nimage; image++)
		if (p->image[image].elf && all[image].n > 0)
			add_image(w, p->image[image].elf, &all[image]);
	coverage_free(p, all);
}

int export_lcov(struct export *x, FILE *to, struct complaint *why)
{
	struct writer w = {.x = x};

	if (x->prof.unit != PROFDATA_INSTRUCTIONS && x->prof.unit != PROFDATA_CALLS)
		return complain(why, "lcov holds the counts of coverage, as by cprof(1), not %s",
				profdata_unit_name[x->prof.unit]);
	add_images(&w);
	if (w.nowhere)
		fprintf(stderr, "gnomon export: %s: %" PRIu64 " %s are left out: their lines are "
			"not known\n", x->file, w.nowhere, profdata_unit_name[x->prof.unit]);
	put_files(&w, to);
	names_free(&w.files);
	free(w.lines.row);
	free(w.functions.row);
	return 0;
}
