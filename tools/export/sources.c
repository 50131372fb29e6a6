/* Coverage by source file: see sources.h. Counts of lines are those of gnomon report --lines. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "tools/code/outline.h"
#include "tools/export/sources.h"
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/profile/coverage.h"
#include "tools/slurp.h"
#include "tools/sorted.h"

/* What is being gathered. */
struct gathering {
	const struct export *x;
	struct sources *to;
	struct place last; /* whose file was looked for last, and its number */
	uint32_t number;
	bool *seen; /* by the number of an ELF file: its lines and functions are there */
};

/* For qsort: by file, line and name. */
static int compare_rows(const void *va, const void *vb)
{
	const struct sources_row *a = va, *b = vb;

	if (a->file != b->file)
		return order(a->file, b->file);
	if (a->line != b->line)
		return order(a->line, b->line);
	return strcmp(a->function, b->function);
}

/* Add a row to another of the same place. */
static void add_count(void *to, const void *from)
{
	((struct sources_row *)to)->count += ((const struct sources_row *)from)->count;
}

static void add_row(struct sources_rows *r, const struct sources_row *row)
{
	r->row = memory_grow(r->row, &r->room, r->n + 1, sizeof(*row));
	r->row[r->n++] = *row;
}

/*
 * Return the folder that the name of a source file is relative to: where the compiler ran, unless
 * the file does not lie there. NASM does not note where it ran.
 */
static const char *folder_of(struct image *elf, const struct place *at)
{
	const char *dir = image_source_dir(elf);
	char *path;

	if (!at->dir)
		return dir;
	path = memory_format("%s/%s", at->dir, at->file);
	if (slurp_has(path))
		dir = at->dir;
	free(path);
	return dir;
}

/* Return the number of a source file. */
static uint32_t file_number(struct gathering *g, struct image *elf, const struct place *at)
{
	const char *dir;
	char *path;

	if (*at->file == '/')
		return names_number(&g->to->files, at->file);
	if (at->file == g->last.file && at->dir == g->last.dir)
		return g->number; /* of most instructions it is that of the one before */
	g->last = *at;
	dir = folder_of(elf, at);
	if (!dir)
		dir = "";
	path = memory_format("%s/%s", dir, at->file);
	g->number = names_number(&g->to->files, path + !*dir);
	free(path);
	return g->number;
}

/* Add a count to the line of an instruction; it may be 0, and then the line is one with code. */
static void add_line(struct gathering *g, struct image *elf, code_addr pc, uint64_t count)
{
	struct sources_row row = {.function = "", .count = count};
	struct place place = image_line(elf, pc);

	if (!place.file) {
		g->to->nowhere += count;
		return;
	}
	row.file = file_number(g, elf, &place);
	row.line = place.line;
	add_row(&g->to->lines, &row);
}

/* Add a function: how often its first instruction ran. */
static void add_function(struct gathering *g, struct image *elf, const struct symbol *symbol,
			 const struct counts *c, code_addr second)
{
	size_t i = coverage_find(c, symbol->start), n;
	struct place place[IMAGE_PLACES];
	struct sources_row row = {.function = symbol->plain};

	n = image_places(elf, symbol->start, place);
	if (!place[n - 1].file)
		return;
	row.file = file_number(g, elf, &place[n - 1]);
	row.line = place[n - 1].line;
	if (i < c->n && c->at[i].pc < second)
		row.count = c->at[i].count;
	add_row(&g->to->functions, &row);
}

/*
 * Add how often a function was called, and return how many of its instructions have lines: of the
 * kernel only the first, and that if it is a no-op for the purpose, for only calls are known.
 */
static size_t add_calls(struct gathering *g, struct image *elf, const struct symbol *symbol,
			const struct counts *c)
{
	const struct outline *o = outline_of(elf, symbol);
	size_t n = o->n;

	if (n > 0 && g->x->prof.unit == PROFDATA_CALLS)
		n = o->at->fill;
	if (n > 0)
		add_function(g, elf, symbol, c, o->at->pc + o->at->size);
	return n;
}

/* Add a function and the lines that it has, whether they ran or not. */
static void add_symbol(struct gathering *g, struct image *elf, const struct symbol *symbol,
		       const struct counts *c)
{
	const struct outline *o = outline_of(elf, symbol);
	size_t i, n = add_calls(g, elf, symbol, c);

	for (i = 0; i < n; i++)
		if (!o->at[i].fill || g->x->prof.unit == PROFDATA_CALLS)
			add_line(g, elf, o->at[i].pc, 0);
}

/* Add the functions with counts of a file whose others are there. */
static void add_counted(struct gathering *g, struct image *elf, const struct counts *c)
{
	const struct symbol *symbol;
	size_t at = 0;

	while ((symbol = coverage_next(elf, c, &at)) != NULL)
		add_calls(g, elf, symbol, c);
}

/* Sort rows, and make one of those of the same place. */
static void sum_rows(struct sources_rows *r)
{
	r->n = sorted_sum(r->row, r->n, sizeof(*r->row), compare_rows, add_count);
}

/* Gather what is known of an image. Very many may have one file, and few counts each. */
static void add_image(struct gathering *g, struct image *elf, const struct counts *c)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		add_line(g, elf, c->at[i].pc, c->at[i].count);
	if (g->seen[elf->number]) {
		add_counted(g, elf, c);
		return;
	}
	for (i = 0; i < elf->symbols.n; i++)
		add_symbol(g, elf, &elf->symbols.sym[i], c);
	g->seen[elf->number] = true;
}

/* Take the rows of a file from the beginning of those that are left. Return how many. */
static size_t take_file(const struct sources_rows *r, size_t at, uint32_t file)
{
	size_t n = 0;

	while (at + n < r->n && r->row[at + n].file == file)
		n++;
	return n;
}

/* Gather all images whose files are known, and sum them up by place. */
static void add_images(struct gathering *g)
{
	const struct profdata *p = &g->x->prof;
	struct counts *all = coverage_all(p);
	uint32_t image;

	g->seen = memory_zeroed(g->x->options.images.n, sizeof(*g->seen));
	for (image = 0; image < p->nimage; image++)
		if (p->image[image].elf && all[image].n > 0)
			add_image(g, p->image[image].elf, &all[image]);
	sum_rows(&g->to->lines);
	sum_rows(&g->to->functions);
	free(g->seen);
	coverage_free(p, all);
}

int sources_open(struct sources *s, const struct export *x, const char *name,
		 struct complaint *why)
{
	struct gathering g = {.x = x, .to = s};
	const char *unit = profdata_unit_name[x->prof.unit];

	if (x->prof.unit != PROFDATA_INSTRUCTIONS && x->prof.unit != PROFDATA_CALLS)
		return complain(why, "%s holds the counts of coverage, as by cprof(1), not %s",
				name, unit);
	*s = (struct sources){.nowhere = 0};
	add_images(&g);
	if (s->nowhere)
		fprintf(stderr, "gnomon export: %s: %" PRIu64 " %s are left out: their lines are "
			"not known\n", x->file, s->nowhere, unit);
	return 0;
}

void sources_close(struct sources *s)
{
	names_free(&s->files);
	free(s->lines.row);
	free(s->functions.row);
}

void sources_each(const struct sources *s, void (*put)(void *arg, const struct sources_file *file),
		  void *arg)
{
	size_t line = 0, function = 0;
	struct sources_file f;
	uint32_t file;

	for (file = 0; file < s->files.n; file++) {
		f.path = s->files.name[file];
		f.line = s->lines.row + line;
		f.nline = take_file(&s->lines, line, file);
		f.function = s->functions.row + function;
		f.nfunction = take_file(&s->functions, function, file);
		put(arg, &f);
		line += f.nline;
		function += f.nfunction;
	}
}
