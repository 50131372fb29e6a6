/* A function instruction by instruction: see annotate.h. */
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/report/annotate.h"

#define NAME_LINES 20 /* from a function's name to its code, at most */

/* Return which place of an instruction is in the function itself; n: none is. */
static size_t own_place(const struct annotation *a, const struct place *place, size_t n)
{
	size_t i;

	if (!a->inlined)
		return n - 1;
	for (i = 0; i + 1 < n; i++)
		if (strcmp(place[i].function, a->function) == 0)
			return i;
	return n;
}

/*
 * Find the source line of an instruction in the function: what was inlined from a header, say,
 * counts for the line of the call. Return false if the instruction is not the function's.
 */
static bool annotation_locate(struct annotation *a, struct annotated *c)
{
	struct place place[IMAGE_PLACES];
	size_t n = image_places(a->elf, c->insn.pc, place), own = own_place(a, place, n);

	if (own == n)
		return false;
	if (a->only && (!place[own].file || strcmp(place[own].file, a->only) != 0))
		return false;
	c->innermost = place[0];
	c->inlined = own > 0;
	if (!a->file) {
		a->file = place[own].file;
		a->dir = place[own].dir;
	}
	if (!place[own].file)
		return true;
	if (strcmp(a->file, place[own].file) != 0)
		return true;
	c->line = place[own].line;
	return true;
}

/*
 * Return whether a count may also be of what follows an instruction that ends there: of the
 * function, which ends at hi, or of the next one, unless there is only padding between the two.
 */
static bool annotation_goes_on(const struct annotation *a, const struct count_at *at,
			       code_addr end, code_addr hi)
{
	const struct symbols *all = &a->elf->symbols;
	const struct symbol *own;

	if (at->end <= end)
		return false;
	if (end < hi)
		return true;
	own = image_symbol(a->elf, hi - 1);
	if (!own || own + 1 == all->sym + all->n)
		return false;
	return own[1].start < at->end;
}

/* Give an instruction the counts in its bytes; the function ends at hi. */
static void give_counts(struct annotation *a, struct annotated *to, const struct counts *c,
			code_addr hi)
{
	const struct count_at *at = c->at + coverage_find(c, to->insn.pc);
	code_addr end = to->insn.pc + to->insn.size;

	for (; at < c->at + c->n && at->pc < end; at++) {
		to->count += at->count;
		to->shared |= annotation_goes_on(a, at, end, hi);
		a->total += at->count;
	}
}

/* Append the function's instructions in [lo, hi). Return 0, or -1 and why. */
static int add_code(struct annotation *a, code_addr lo, code_addr hi, const struct counts *c,
		    struct complaint *why)
{
	struct annotated one;
	size_t i, n;
	struct instruction *insn = disasm(a->elf, lo, hi, &n, why);

	if (!insn)
		return -1;
	for (i = 0; i < n; i++) {
		one = (struct annotated){.insn = insn[i]};
		if (!annotation_locate(a, &one))
			continue;
		give_counts(a, &one, c, hi);
		a->code = memory_grow(a->code, &a->room, a->n + 1, sizeof(one));
		a->code[a->n++] = one;
	}
	free(insn);
	return 0;
}

/* Return the count of a bucket that begins before a function, and has some of its bytes. */
static uint64_t count_before(const struct counts *c, code_addr start)
{
	size_t i = coverage_find(c, start);

	if (i == 0 || c->at[i - 1].end <= start)
		return 0;
	return c->at[i - 1].count;
}

/* Find the line with the function's name, which is before its code; a far one is not its own. */
static void find_begin(struct annotation *a)
{
	const char *inlined = NULL;
	unsigned line;

	a->begin = a->first;
	if (a->n == 0)
		return;
	if (a->inlined)
		inlined = a->function;
	line = image_declared(a->elf, a->code[0].insn.pc, inlined);
	if (line && line < a->first && a->first - line <= NAME_LINES)
		a->begin = line;
}

/* For qsort: by line, then by address. */
static int compare_lines(const void *va, const void *vb)
{
	const struct annotated_line *a = va, *b = vb;

	if (a->line != b->line)
		return order(a->line, b->line);
	return order(a->code, b->code);
}

/* Sort the instructions by their lines, and find which these are; the first may have none, 0. */
static void sort_lines(struct annotation *a)
{
	size_t i;

	free(a->by_line);
	a->by_line = memory_zeroed(a->n, sizeof(*a->by_line));
	for (i = 0; i < a->n; i++)
		a->by_line[i] = (struct annotated_line){a->code[i].line, (unsigned)i};
	if (a->n)
		qsort(a->by_line, a->n, sizeof(*a->by_line), compare_lines);
	a->first = a->last = 0;
	i = annotation_first(a, 1);
	if (i < a->n) {
		a->first = a->by_line[i].line;
		a->last = a->by_line[a->n - 1].line;
	}
	find_begin(a);
}

int annotation_make(struct annotation *a, struct image *elf, const struct symbol *symbol,
		    const struct counts *c, struct complaint *why)
{
	*a = (struct annotation){.elf = elf, .function = symbol->name,
				 .before = count_before(c, symbol->start)};
	if (add_code(a, symbol->start, symbol->end, c, why) < 0)
		return -1;
	sort_lines(a);
	return 0;
}

int annotation_inlined(struct annotation *a, struct image *elf, const char *name, const char *file,
		       const struct counts *c, struct complaint *why)
{
	struct image_range range = {.hi = 0};
	size_t at = 0;

	*a = (struct annotation){.elf = elf, .function = name, .inlined = true, .only = file};
	while (image_inlined(elf, name, &at, &range))
		if (add_code(a, range.lo, range.hi, c, why) < 0) {
			annotation_free(a);
			return -1;
		}
	if (a->n == 0)
		return complain(why, "%s is not inlined anywhere", name);
	sort_lines(a);
	return 0;
}

bool annotation_leaves(const struct annotation *a, size_t i)
{
	const struct annotated *c = &a->code[i];

	if (!c->shared)
		return false;
	if (i + 1 == a->n)
		return true; /* those of another function */
	return c[1].line != c->line;
}

size_t annotation_first(const struct annotation *a, unsigned line)
{
	size_t lo = 0, hi = a->n, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (a->by_line[mid].line < line)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

struct line_counted annotation_line(const struct annotation *a, unsigned line)
{
	struct line_counted all = {.count = 0};
	const struct annotated *c;
	size_t i, k;

	for (k = annotation_first(a, line); annotation_is(a, k, line); k++) {
		i = a->by_line[k].code;
		c = &a->code[i];
		all.instructions += c->count > 0 || !disasm_is_fill(&c->insn);
		all.run += c->count > 0;
		all.count += c->count;
		all.shared |= annotation_leaves(a, i);
		if (c->inlined)
			continue;
		all.own += c->count > 0 || !disasm_is_fill(&c->insn);
		all.runs = order_max(all.runs, c->count);
	}
	return all;
}

unsigned annotation_next(const struct annotation *a, unsigned line, size_t n)
{
	size_t k;

	if (line < a->last && line < n)
		return line + 1;
	if (line >= a->last)
		return 0;
	k = annotation_first(a, line + 1);
	return a->by_line[k].line;
}

void annotation_own(struct annotation *a)
{
	size_t i, n = 0;

	for (i = 0; i < a->n; i++) {
		if (a->code[i].inlined)
			a->total -= a->code[i].count;
		else
			a->code[n++] = a->code[i];
	}
	a->n = n;
	sort_lines(a);
}

void annotation_free(struct annotation *a)
{
	free(a->code);
	free(a->by_line);
}
