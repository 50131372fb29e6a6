/* gnomon-report(1): by line of the source, and a function's source and instructions. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/profile/coverage.h"
#include "tools/report/annotate.h"
#include "tools/report/report.h"
#include "tools/sorted.h"

#define NAME 512

/* For qsort: by file, line, image and function. */
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

/* For qsort: idle ones last, then the most first. */
static int compare_counts(const void *va, const void *vb)
{
	const struct line_count *a = va, *b = vb;

	if (a->idle != b->idle)
		return a->idle ? 1 : -1;
	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return compare_places(va, vb);
}

/* Find the line of every address of the profile. Return *n of them, with repeats. */
static struct line_count *count_lines(struct report *r, size_t *n)
{
	struct counts *all = coverage_all(&r->prof);
	struct line_count *line = NULL;
	const struct count_at *at;
	struct place place;
	size_t room = 0;
	uint32_t image, function;

	*n = 0;
	functions_count(&r->functions);
	for (image = 0; image < r->prof.nimage; image++) {
		for (at = all[image].at; at < all[image].at + all[image].n; at++) {
			place = image_line(r->prof.image[image].elf, at->pc);
			function = functions_at(&r->functions, image, at->pc);
			line = memory_grow(line, &room, *n + 1, sizeof(*line));
			line[(*n)++] = (struct line_count){
				.file = place.file, .line = place.line, .image = image,
				.function = place.function, .count = at->count,
				.idle = functions_idle(&r->functions.function[function]),
				.shared = coverage_shared(r->prof.image[image].elf, at),
			};
		}
	}
	coverage_free(&r->prof, all);
	return line;
}

/* Add a count to another of the same line. */
static void add(void *to, const void *from)
{
	struct line_count *a = to;
	const struct line_count *b = from;

	a->count += b->count;
	a->shared |= b->shared;
}

/* Return a text without its leading blanks. */
static const char *trimmed(const char *s)
{
	return s ? s + strspn(s, " \t") : "";
}

/*
 * Print the lines. A mark is behind the share of a line that has others in its buckets:
 *
 *          ticks       %  line                   function        source
 *             12   40.00* kernel/string.c:31     memcpy          rep_movs(to, from, n);
 */
static void print_lines(struct report *r, const struct line_count *line, size_t n)
{
	char where[NAME];
	size_t i, left_out = 0;

	report_head(r);
	report_shared(r);
	snprintf(where, sizeof(where), "%14s %7s  %-32s %-24s %s",
		 profdata_unit_name[r->prof.unit], "%", "line", "function", "source");
	putchar('\n');
	report_titles(r, where);
	putchar('\n');
	for (i = 0; i < n; i++) {
		if (!report_shows(r, i, report_percent(r, line[i].count))) {
			left_out++;
			continue;
		}
		if (line[i].file)
			snprintf(where, sizeof(where), "%s:%u", line[i].file, line[i].line);
		else
			snprintf(where, sizeof(where), "%s:?", r->prof.image[line[i].image].name);
		printf("%14" PRIu64, line[i].count);
		report_share(r, 8, report_percent(r, line[i].count));
		printf("%c %-32s %-24s %s\n", line[i].shared ? REPORT_SHARED : ' ', where,
		       line[i].function,
		       trimmed(source_line(&r->sources, line[i].file, line[i].line)));
	}
	report_left_out(left_out);
}

/* Write the lines as data. */
static void write_lines(struct report *r, const struct line_count *line, size_t n)
{
	static const char *const column[] = {
		"module", "file", "line", "function", "self_%", "self_percent", "shared", "source",
		NULL,
	};
	size_t i, left_out = 0;
	struct sheet s;

	sheet_begin(&s, r, column);
	for (i = 0; i < n; i++) {
		if (!report_shows(r, i, report_percent(r, line[i].count))) {
			left_out++;
			continue;
		}
		sheet_text(&s, r->prof.image[line[i].image].name);
		sheet_text(&s, line[i].file);
		line[i].file ? sheet_count(&s, line[i].line) : sheet_unknown(&s);
		sheet_text(&s, line[i].function);
		sheet_count(&s, line[i].count);
		sheet_number(&s, report_percent(r, line[i].count));
		sheet_flag(&s, line[i].shared);
		sheet_text(&s, source_line(&r->sources, line[i].file, line[i].line));
	}
	sheet_end(&s, "lines", left_out);
}

int report_lines(struct report *r, struct complaint *why)
{
	struct line_count *line;
	size_t n;

	(void)why;
	line = count_lines(r, &n);
	n = sorted_sum(line, n, sizeof(*line), compare_places, add);
	if (n)
		qsort(line, n, sizeof(*line), compare_counts);
	report_missing(r, line, n);
	if (r->options.format == SHEET_TEXT)
		print_lines(r, line, n);
	else
		write_lines(r, line, n);
	free(line);
	return 0;
}

/* Print a count, its share, and whether it may be partly of what follows; or as many blanks. */
static void print_count(const struct report *r, uint64_t count, bool shared)
{
	if (!count) {
		printf("%14s %7s ", "", "");
		return;
	}
	printf("%14" PRIu64, count);
	report_share(r, 8, report_percent(r, count));
	putchar(shared ? REPORT_SHARED : ' ');
}

/* Print an instruction, and where it comes from if it was inlined. */
static void print_code(const struct report *r, const struct annotated *c)
{
	print_count(r, c->count, c->shared);
	printf("           %" CODE_ADDR "  %s", c->insn.pc, c->insn.text);
	if (c->inlined && c->innermost.file)
		printf("  ; %s, %s:%u", c->innermost.function, c->innermost.file,
		       c->innermost.line);
	putchar('\n');
}

/* Return whether assemblers fill gaps with an instruction; such a gap need not run. */
static bool is_fill(const struct instruction *insn)
{
	static const char *const fill[] = {"xchg ax, ax", "lea esi, [esi]", "lea edi, [edi]",
					   "lea esi, cs:[esi]", "lea edi, cs:[edi]"};
	size_t i;

	for (i = 0; i < sizeof(fill) / sizeof(fill[0]); i++)
		if (strcmp(insn->text, fill[i]) == 0)
			return true;
	return strncmp(insn->text, "nop", 3) == 0;
}

/*
 * Return what coverage says of a line: all of its instructions ran (+), none (-) or some (~);
 * a blank if it has no code. Of a function of the kernel that was entered, only that is known:
 * its other lines have a blank, too.
 */
static char mark(const struct report *r, bool entered, size_t instructions, size_t run)
{
	if (!report_is_coverage(r) || instructions == 0)
		return ' ';
	if (entered)
		return run ? '+' : ' ';
	return run == instructions ? '+' : run == 0 ? '-' : '~';
}

/* What was counted on a line of a function. */
struct counted {
	size_t instructions, run;
	uint64_t count;
	bool shared;
};

/* Add up what was counted on a line. */
static struct counted count_line(const struct annotation *a, unsigned line)
{
	struct counted all = {.count = 0};
	size_t i;

	for (i = 0; i < a->n; i++) {
		if (a->code[i].line != line)
			continue;
		all.instructions += a->code[i].count > 0 || !is_fill(&a->code[i].insn);
		all.run += a->code[i].count > 0;
		all.count += a->code[i].count;
		all.shared |= a->code[i].shared && i + 1 < a->n && a->code[i + 1].line != line;
	}
	return all;
}

/*
 * Print a line of the source with its count and mark, then its instructions:
 *
 *             12   40.00 +     31  	rep_movs(to, from, n);
 *             12   40.00            c0101230  rep movsb byte ptr es:[edi], byte ptr [esi]
 *
 * Line 0 has the instructions whose line is not known.
 */
static void print_line(struct report *r, const struct annotation *a, bool entered, unsigned line)
{
	const struct counted all = count_line(a, line);
	const char *text = source_line(&r->sources, a->file, line);
	size_t i;

	if (line || all.instructions) {
		print_count(r, all.count, all.shared);
		printf("%c %6u  %s\n", mark(r, entered, all.instructions, all.run), line,
		       text ? text : "");
	}
	for (i = 0; i < a->n && !r->options.lines; i++)
		if (a->code[i].line == line)
			print_code(r, &a->code[i]);
}

/* Print one function of an image, and before the first one the head. */
static void print_function(struct report *r, const struct annotation *a, bool first)
{
	bool entered = r->prof.unit == PROFDATA_CALLS && a->total;
	unsigned line;

	if (first) {
		report_head(r);
		report_shared(r);
	}
	printf("\n%s%s, %s: %" PRIu64 " %s, %.2f %%\n", a->function,
	       a->inlined ? " (inlined)" : "", a->file ? a->file : "?", a->total,
	       profdata_unit_name[r->prof.unit], report_percent(r, a->total));
	print_line(r, a, entered, 0);
	for (line = a->first; line && line <= a->last; line++)
		print_line(r, a, entered, line);
}

/* Write a line of the source, or an instruction in it, as data. */
static void write_line(struct sheet *s, const struct annotation *a, unsigned line,
		       const struct annotated *c, const struct counted *all)
{
	const char *source = source_line(&((struct report *)s->r)->sources, a->file, line);
	char address[24];

	sheet_text(s, a->function);
	sheet_flag(s, a->inlined);
	sheet_text(s, a->file);
	line ? sheet_count(s, line) : sheet_unknown(s);
	snprintf(address, sizeof(address), "%" CODE_ADDR, c ? c->insn.pc : 0);
	sheet_text(s, c ? address : NULL);
	sheet_count(s, c ? c->count : all->count);
	sheet_number(s, report_percent(s->r, c ? c->count : all->count));
	sheet_flag(s, c ? c->shared : all->shared);
	c ? sheet_unknown(s) : sheet_count(s, all->instructions);
	c ? sheet_unknown(s) : sheet_count(s, all->run);
	sheet_text(s, c ? c->insn.text : source);
}

/* Write one function of an image as data. */
static void write_function(struct report *r, struct sheet *s, const struct annotation *a)
{
	struct counted all = count_line(a, 0);
	unsigned line = 0;
	size_t i;

	do {
		all = count_line(a, line);
		if (line || all.instructions)
			write_line(s, a, line, NULL, &all);
		for (i = 0; i < a->n && !r->options.lines; i++)
			if (a->code[i].line == line)
				write_line(s, a, line, &a->code[i], NULL);
		line = line ? line + 1 : a->first;
	} while (line && line <= a->last);
}

/* Show one function of an image, and before the first one the head. */
static void show_function(struct report *r, struct sheet *s, struct annotation *a, bool first)
{
	static const char *const column[] = {
		"function", "inlined", "file", "line", "address", "self_%", "self_percent",
		"shared", "instructions", "instructions_run", "text", NULL,
	};

	if (r->options.inlined)
		annotation_own(a);
	if (r->options.format == SHEET_TEXT) {
		print_function(r, a, first);
		return;
	}
	if (first)
		sheet_begin(s, r, column);
	write_function(r, s, a);
}

/*
 * Show the functions of an image that the name means, and their code within others. Add how many
 * there are to *found. Return 0, or -1 and why.
 */
static int annotate(struct report *r, struct sheet *s, const struct profdata_image *image,
		    const struct counts *c, size_t *found, struct complaint *why)
{
	const char *name = r->options.function;
	const struct symbols *symbols = &image->elf->symbols;
	struct complaint none;
	struct annotation a;
	size_t i;

	for (i = 0; i < symbols->n; i++) {
		if (!report_means(name, image->name, symbols->sym[i].name))
			continue;
		if (annotation_make(&a, image->elf, &symbols->sym[i], c, why) < 0)
			return -1;
		show_function(r, s, &a, !(*found)++);
		annotation_free(&a);
	}
	i = strlen(image->name);
	if (strncmp(name, image->name, i) == 0 && name[i] == ':')
		name += i + 1;
	if (annotation_inlined(&a, image->elf, name, c, &none) == 0) {
		show_function(r, s, &a, !(*found)++);
		annotation_free(&a);
	}
	return 0;
}

/* Show all functions of that name in all images, whether anything was counted in them or not. */
int report_annotate(struct report *r, struct complaint *why)
{
	size_t found = 0;
	struct sheet sheet;
	uint32_t image;
	int bad = 0;

	for (image = 0; !bad && image < r->prof.nimage; image++) {
		const struct profdata_image *of = &r->prof.image[image];
		struct counts c;

		if (!of->elf || (r->prof.calls && of->kernel))
			continue; /* its counts were taken out; it may have run all the same */
		c = coverage_counts(&r->prof, image);
		bad = annotate(r, &sheet, of, &c, &found, why);
		free(c.at);
	}
	if (!bad && !found)
		return complain(why, "%s: no image of it has a function %s%s", r->file,
				r->options.function,
				r->prof.calls ? "; for the kernel's, say --module kernel" : "");
	if (found && r->options.format != SHEET_TEXT)
		sheet_end(&sheet, "annotate", 0);
	return bad;
}
