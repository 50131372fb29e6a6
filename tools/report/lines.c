/* gnomon-report(1): by line of the source, and a function's source and instructions. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/report/annotate.h"
#include "tools/profile/coverage.h"
#include "tools/memory.h"
#include "tools/sorted.h"
#include "tools/report/report.h"

#define NAME 512

/* What was counted on one line. */
struct line_count {
	const char *file; /* NULL: unknown */
	unsigned line;
	uint32_t image;
	const char *function;
	uint64_t count;
};

/* By file, line and function. */
static int compare_places(const void *va, const void *vb)
{
	const struct line_count *a = va, *b = vb;
	int d = strcmp(a->file ? a->file : "", b->file ? b->file : "");

	if (d)
		return d;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	if (a->image != b->image)
		return a->image < b->image ? -1 : 1;
	return strcmp(a->function, b->function);
}

/* The most first. */
static int compare_counts(const void *va, const void *vb)
{
	const struct line_count *a = va, *b = vb;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return compare_places(va, vb);
}

/* Every address of the profile as a line; *n of them. */
static struct line_count *count_lines(const struct report *r, size_t *n)
{
	struct counts *all = coverage_all(&r->prof);
	struct line_count *line = NULL;
	const struct count_at *at;
	struct place place;
	size_t room = 0;
	uint32_t image;

	*n = 0;
	for (image = 0; image < r->prof.nimage; image++) {
		for (at = all[image].at; at < all[image].at + all[image].n; at++) {
			place = image_line(r->prof.image[image].elf, at->pc);
			line = memory_grow(line, &room, *n + 1, sizeof(*line));
			line[(*n)++] = (struct line_count){
				.file = place.file, .line = place.line, .image = image,
				.function = place.function, .count = at->count,
			};
		}
	}
	coverage_free(&r->prof, all);
	return line;
}

/* Add the count of a place to that of its equal. */
static void add(void *to, const void *from)
{
	((struct line_count *)to)->count += ((const struct line_count *)from)->count;
}

/* A text without the blanks it begins with. */
static const char *trimmed(const char *s)
{
	return s ? s + strspn(s, " \t") : "";
}

/* By line. */
int report_lines(struct report *r, struct complaint *why)
{
	struct line_count *line;
	char where[NAME];
	size_t i, n;

	(void)why;
	line = count_lines(r, &n);
	n = sorted_sum(line, n, sizeof(*line), compare_places, add);
	if (n)
		qsort(line, n, sizeof(*line), compare_counts);
	report_head(r);
	printf("\n%14s %7s  %-32s %-24s %s\n", profdata_unit_name[r->prof.unit], "%", "line",
	       "function", "source");
	for (i = 0; i < n && i < r->options.limit; i++) {
		if (line[i].file)
			snprintf(where, sizeof(where), "%s:%u", line[i].file, line[i].line);
		else
			snprintf(where, sizeof(where), "%s:?", r->prof.image[line[i].image].name);
		printf("%14" PRIu64 " %7.2f  %-32s %-24s %s\n", line[i].count,
		       report_percent(r, line[i].count), where, line[i].function,
		       trimmed(source_line(&r->sources, line[i].file, line[i].line)));
	}
	if (n > r->options.limit)
		printf("%zu more; --limit 0 shows all\n", n - r->options.limit);
	free(line);
	return 0;
}

/* Counts and share, or as many blanks. */
static void print_count(const struct report *r, uint64_t count)
{
	if (count)
		printf("%14" PRIu64 " %7.2f", count, report_percent(r, count));
	else
		printf("%14s %7s", "", "");
}

/* An instruction, and where it comes from if it was inlined. */
static void print_code(const struct report *r, const struct annotated *c)
{
	print_count(r, c->count);
	printf("            %08" PRIx32 "  %s", c->insn.pc, c->insn.text);
	if (c->inlined && c->innermost.file)
		printf("  ; %s, %s:%u", c->innermost.function, c->innermost.file,
		       c->innermost.line);
	putchar('\n');
}

/*
 * What coverage says of a line: all of its instructions ran (+), none (-), some (~); no code.
 * Of a function of the kernel that ran, only where it begins is known.
 */
static char mark(const struct report *r, bool entered, size_t instructions, size_t run)
{
	if (!report_is_coverage(r) || instructions == 0)
		return ' ';
	if (entered)
		return run ? '+' : ' ';
	return run == instructions ? '+' : run == 0 ? '-' : '~';
}

/* A line of the source and its instructions. */
static void print_line(struct report *r, const struct annotation *a, bool entered, unsigned line)
{
	size_t i, instructions = 0, run = 0;
	uint64_t count = 0;
	const char *text = source_line(&r->sources, a->file, line);

	for (i = 0; i < a->n; i++) {
		if (a->code[i].line != line)
			continue;
		instructions++;
		run += a->code[i].count > 0;
		count += a->code[i].count;
	}
	if (line || instructions) {
		print_count(r, count);
		printf(" %c %6u  %s\n", mark(r, entered, instructions, run), line,
		       text ? text : "");
	}
	for (i = 0; i < a->n && !r->options.lines; i++)
		if (a->code[i].line == line)
			print_code(r, &a->code[i]);
}

/* One function of an image. */
static int annotate(struct report *r, const struct profdata_image *image,
		    const struct symbol *symbol, const struct counts *c, struct complaint *why)
{
	struct annotation a;
	bool entered;
	unsigned line;

	if (annotation_make(&a, image->elf, symbol, c, why) < 0)
		return -1;
	entered = r->prof.unit == PROFDATA_CALLS && a.total;
	printf("\n%s, %s: %" PRIu64 " %s, %.2f %%\n", symbol->name, a.file ? a.file : "?", a.total,
	       profdata_unit_name[r->prof.unit], report_percent(r, a.total));
	print_line(r, &a, entered, 0);
	for (line = a.first; line && line <= a.last; line++)
		print_line(r, &a, entered, line);
	annotation_free(&a);
	return 0;
}

/* All functions of that name, in all images; whether they were met or not. */
int report_annotate(struct report *r, struct complaint *why)
{
	const char *name = r->options.function;
	size_t i, found = 0;
	uint32_t image;
	int bad = 0;

	for (image = 0; image < r->prof.nimage; image++) {
		const struct profdata_image *of = &r->prof.image[image];
		struct counts c;

		if (!of->elf || (r->prof.calls && of->kernel))
			continue; /* it was not left out because it did not run */
		c = coverage_counts(&r->prof, image);
		for (i = 0; !bad && i < of->elf->symbols.n; i++) {
			if (!report_means(name, of->name, of->elf->symbols.sym[i].name))
				continue;
			if (!found++)
				report_head(r);
			bad = annotate(r, of, &of->elf->symbols.sym[i], &c, why);
		}
		free(c.at);
	}
	if (!bad && !found)
		return complain(why, "%s: no image of it has a function %s%s", r->file, name,
				r->prof.calls ? "; for the kernel's, say --module kernel" : "");
	return bad;
}
