/* gnomon-report(1): by line of the source, and a function's source and instructions. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/code/disasm.h"
#include "tools/memory.h"
#include "tools/profile/coverage.h"
#include "tools/report/annotate.h"
#include "tools/report/places.h"
#include "tools/report/report.h"

#define NAME 512

/* Return the text, or "" in the place of NULL. */
static const char *or_empty(const char *text)
{
	if (!text)
		return "";
	return text;
}

/* Return the text of a line; NULL: it is not known. */
static const char *text_of(struct report *r, const struct line_count *line)
{
	const struct image *elf = r->prof.image[line->image].elf;

	if (elf)
		source_of(&r->sources, line->dir, line->file, elf);
	return source_line(&r->sources, line->dir, line->file, line->line);
}

/* Return a line of the source without its leading blanks, "" if it is not known. */
static const char *trimmed_source(struct report *r, const struct line_count *line)
{
	const char *s = or_empty(text_of(r, line));

	return s + strspn(s, " \t");
}

/* Return what follows a count. */
static char mark_of(bool shared)
{
	if (shared)
		return REPORT_SHARED;
	return ' ';
}

/* Print the titles of the lines. */
static void print_lines_titles(const struct report *r)
{
	char text[NAME];
	int n = snprintf(text, sizeof(text), "%14s %7s", profdata_unit_name[r->prof.unit], "%");

	if (report_has_runs(r))
		n += snprintf(text + n, sizeof(text) - (size_t)n, " %12s", "runs");
	snprintf(text + n, sizeof(text) - (size_t)n, "  %-32s %-24s %s", "line", "function",
		 "source");
	putchar('\n');
	report_titles(r, text);
	putchar('\n');
}

/* Print a line that something was counted on. */
static void print_lines_row(struct report *r, const struct line_count *line)
{
	char where[NAME];

	if (line->file)
		snprintf(where, sizeof(where), "%s:%u", line->file, line->line);
	else
		snprintf(where, sizeof(where), "%s:?", r->prof.image[line->image].name);
	printf("%14" PRIu64, line->count);
	report_share(r, 8, report_percent(r, line->count));
	if (report_has_runs(r))
		printf(" %12" PRIu64, line->runs);
	printf("%c %-32s %-24s %s\n", mark_of(line->shared), where, line->function,
	       trimmed_source(r, line));
}

/*
 * Print the lines. A mark follows the share of a line whose buckets cover other lines, too:
 *
 *          ticks       %  line                   function        source
 *             12   40.00* kernel/machine/string.c:31     memcpy          rep_movs(to, from, n);
 */
static void print_lines(struct report *r, const struct line_count *line, size_t n)
{
	size_t i, left_out = 0;

	report_head(r);
	report_shared(r);
	print_lines_titles(r);
	for (i = 0; i < n; i++) {
		if (report_shows(r, i, report_percent(r, line[i].count)))
			print_lines_row(r, &line[i]);
		else
			left_out++;
	}
	report_left_out(left_out);
}

/* Write the lines as data. */
static void write_lines(struct report *r, const struct line_count *line, size_t n)
{
	static const char *const column[] = {
		"module", "file", "line", "function", "self_%", "self_percent", "shared", "source",
		"runs", NULL,
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
		sheet_count_if(&s, line[i].file, line[i].line);
		sheet_text(&s, line[i].function);
		sheet_count(&s, line[i].count);
		sheet_number(&s, report_percent(r, line[i].count));
		sheet_flag(&s, line[i].shared);
		sheet_text(&s, text_of(r, &line[i]));
		sheet_count_if(&s, report_has_runs(r), line[i].runs);
	}
	sheet_end(&s, "lines", left_out);
}

int report_lines(struct report *r, struct complaint *why)
{
	struct counts *all = coverage_all(&r->prof);
	struct line_count *line;
	size_t n;

	(void)why;
	functions_count(&r->functions);
	line = places_count(r, all, &n);
	coverage_free(&r->prof, all);
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
	putchar(mark_of(shared));
}

/* Print an instruction, and where it comes from if it was inlined. */
static void print_code(const struct report *r, const struct annotated *c)
{
	int indent = 10;

	if (report_has_runs(r))
		indent += 13;
	print_count(r, c->count, c->shared);
	printf("%*s %" CODE_ADDR "  %s", indent, "", c->insn.pc, c->insn.text);
	if (c->inlined && c->innermost.file)
		printf("  ; %s, %s:%u", c->innermost.function, c->innermost.file,
		       c->innermost.line);
	putchar('\n');
}

/*
 * Return what coverage says of a line: all of its instructions ran (+), none (-) or some (~);
 * a blank if it has no code. Of a function of the kernel that was entered, only that is known:
 * its other lines have a blank, too.
 */
static char coverage_mark(const struct report *r, bool entered, size_t instructions, size_t run)
{
	if (!report_is_coverage(r))
		return ' ';
	if (instructions == 0)
		return ' ';
	if (entered && run == 0)
		return ' ';
	if (entered || run == instructions)
		return '+';
	if (run == 0)
		return '-';
	return '~';
}

/* Print how often a line ran, if the profile tells. */
static void print_runs(const struct report *r, const struct line_counted *all)
{
	if (!report_has_runs(r))
		return;
	if (all->own)
		printf(" %12" PRIu64, all->runs);
	else
		printf(" %12s", "");
}

/*
 * Print a line of the source with its count, mark and runs, then its instructions:
 *
 *             24   40.00 +           12     31  	rep_movs(to, from, n);
 *             12   40.00                         c0101230  rep movsb byte ptr es:[edi]
 *
 * Line 0, the last, has the instructions whose line is not known, such as padding.
 */
static void print_line(struct report *r, const struct annotation *a, bool entered, unsigned line)
{
	const struct line_counted all = annotation_line(a, line);
	const char *text = or_empty(source_line(&r->sources, a->dir, a->file, line));
	size_t k;

	if (line || all.instructions) {
		print_count(r, all.count, all.shared);
		putchar(coverage_mark(r, entered, all.instructions, all.run));
		print_runs(r, &all);
		printf(" %6u  %s\n", line, text);
	}
	if (r->options.lines)
		return;
	for (k = annotation_first(a, line); annotation_is(a, k, line); k++)
		print_code(r, &a->code[a->by_line[k].code]);
}

/* Print one function of an image, and before the first one the head. */
static void print_function(struct report *r, const struct annotation *a, bool first)
{
	bool entered = r->prof.unit == PROFDATA_CALLS && a->total;
	const char *inlined = "", *file = "?", *own = "";
	size_t n = source_lines(&r->sources, a->dir, a->file);
	unsigned line;

	source_of(&r->sources, a->dir, a->file, a->elf);
	if (first) {
		report_head(r);
		report_shared(r);
		if (report_has_runs(r))
			printf("  before a line's number: how often the busiest of its "
			       "instructions ran\n");
	}
	if (a->inlined)
		inlined = " (inlined)";
	if (a->file)
		file = a->file;
	if (r->prof.has_paths)
		own = " in itself";
	printf("\n%s%s, %s: ", a->function, inlined, file);
	printf("%" PRIu64 " %s%s, %.2f %%\n", a->total, profdata_unit_name[r->prof.unit], own,
	       report_percent(r, a->total));
	if (a->before > 0)
		printf("  %" PRIu64 " %s of the function before it may be of this one: they "
		       "share a count\n", a->before, profdata_unit_name[r->prof.unit]);
	for (line = a->begin; line; line = annotation_next(a, line, n))
		print_line(r, a, entered, line);
	print_line(r, a, entered, 0);
}

/* Write the cells that a line of the source and an instruction in it begin with. */
static void write_place(struct sheet *s, const struct annotation *a, unsigned line,
			const char *address)
{
	sheet_text(s, a->function);
	sheet_flag(s, a->inlined);
	sheet_text(s, a->file);
	sheet_count_if(s, line, line);
	sheet_text(s, address);
}

/* Write a line of the source as data. */
static void write_line(struct sheet *s, struct report *r, const struct annotation *a,
		       unsigned line)
{
	const struct line_counted all = annotation_line(a, line);

	if (!line && !all.instructions)
		return;
	write_place(s, a, line, NULL);
	sheet_count(s, all.count);
	sheet_number(s, report_percent(r, all.count));
	sheet_flag(s, all.shared);
	sheet_count(s, all.instructions);
	sheet_count(s, all.run);
	sheet_text(s, source_line(&r->sources, a->dir, a->file, line));
	sheet_count_if(s, report_has_runs(r) && all.own, all.runs);
}

/* Write an instruction as data. */
static void write_code(struct sheet *s, const struct annotation *a, const struct annotated *c)
{
	char address[24];

	snprintf(address, sizeof(address), "%" CODE_ADDR, c->insn.pc);
	write_place(s, a, c->line, address);
	sheet_count(s, c->count);
	sheet_number(s, report_percent(s->r, c->count));
	sheet_flag(s, c->shared);
	sheet_unknown(s);
	sheet_unknown(s);
	sheet_text(s, c->insn.text);
	sheet_unknown(s);
}

/* Write a line of the source and its instructions. */
static void write_line_and_code(struct sheet *s, struct report *r, const struct annotation *a,
				unsigned line)
{
	size_t k;

	write_line(s, r, a, line);
	if (r->options.lines)
		return;
	for (k = annotation_first(a, line); annotation_is(a, k, line); k++)
		write_code(s, a, &a->code[a->by_line[k].code]);
}

/* Write one function of an image as data. */
static void write_function(struct report *r, struct sheet *s, const struct annotation *a)
{
	size_t n = source_lines(&r->sources, a->dir, a->file);
	unsigned line;

	source_of(&r->sources, a->dir, a->file, a->elf);
	for (line = a->begin; line; line = annotation_next(a, line, n))
		write_line_and_code(s, r, a, line);
	write_line_and_code(s, r, a, 0);
}

/* Show one function of an image, and before the first one the head. */
static void show_function(struct report *r, struct sheet *s, struct annotation *a, bool first)
{
	static const char *const column[] = {
		"function", "inlined", "file", "line", "address", "self_%", "self_percent",
		"shared", "instructions", "instructions_run", "text", "runs",
		NULL,
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

/* The functions of one name: first it is seen whether any has counts, and then they are shown. */
struct namesakes {
	struct report *r;
	struct sheet sheet;
	bool look;    /* nothing is shown yet */
	bool counted; /* some have counts: then the others are left out */
	size_t found; /* how many are shown */
};

/* Take one of them, and free what is known of it. */
static void namesake(struct namesakes *all, struct annotation *a)
{
	if (all->look)
		all->counted |= a->total > 0;
	else if (a->total > 0 || !all->counted)
		show_function(all->r, &all->sheet, a, !all->found++);
	annotation_free(a);
}

/*
 * Take the functions of an image that the name means, and their code within others. Return 0, or -1
 * and why.
 */
static int annotate_image(struct namesakes *all, const struct profdata_image *image,
			  const struct counts *c, struct complaint *why)
{
	const char *name = all->r->options.function;
	const struct symbols *symbols = &image->elf->symbols;
	struct complaint none;
	struct annotation a;
	size_t i;

	for (i = 0; i < symbols->n; i++) {
		if (!report_means(name, image->name, symbols->sym[i].name,
				  symbols->sym[i].plain))
			continue;
		if (annotation_make(&a, image->elf, &symbols->sym[i], c, why) < 0)
			return -1;
		namesake(all, &a);
	}
	i = strlen(image->name);
	if (strncmp(name, image->name, i) == 0 && name[i] == ':')
		name += i + 1;
	if (annotation_inlined(&a, image->elf, name, NULL, c, &none) == 0)
		namesake(all, &a);
	return 0;
}

/* Take those of all images. */
static int annotate_all(struct namesakes *all, struct complaint *why)
{
	const struct profdata *p = &all->r->prof;
	uint32_t image;
	int bad = 0;

	for (image = 0; !bad && image < p->nimage; image++) {
		const struct profdata_image *of = &p->image[image];
		struct counts c;

		if (!of->elf || (p->calls && of->kernel))
			continue; /* its counts were taken out; it may have run all the same */
		c = coverage_counts(p, image);
		bad = annotate_image(all, of, &c, why);
		free(c.at);
	}
	return bad;
}

/* Complain that there is no such function. */
static int not_found(const struct report *r, struct complaint *why)
{
	const char *kernel = "";

	if (r->prof.calls)
		kernel = "; for the kernel's, say --module kernel";
	return complain(why, "%s: no image of it has a function %s%s", r->file,
			r->options.function, kernel);
}

/*
 * Show the functions of that name in all images in which something was counted; if there are
 * none, all of them.
 */
int report_annotate(struct report *r, struct complaint *why)
{
	struct namesakes all = {.r = r, .look = true};
	int bad = annotate_all(&all, why);

	all.look = false;
	if (!bad)
		bad = annotate_all(&all, why);
	if (!bad && !all.found)
		return not_found(r, why);
	if (all.found && r->options.format != SHEET_TEXT)
		sheet_end(&all.sheet, "annotate", 0);
	return bad;
}
