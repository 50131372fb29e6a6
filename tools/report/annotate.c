/* A function instruction by instruction: see annotate.h. */
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/report/annotate.h"

/*
 * Find the source line of an instruction. The function's own file is that of the outermost
 * place: what was inlined from a header, say, counts for the line of the call.
 */
static void locate(struct annotation *a, struct annotated *c)
{
	struct place place[IMAGE_PLACES];
	size_t n = image_places(a->elf, c->insn.pc, place);

	c->innermost = place[0];
	c->inlined = n > 1;
	if (!a->file)
		a->file = place[n - 1].file;
	if (!place[n - 1].file || !a->file || strcmp(a->file, place[n - 1].file) != 0)
		return;
	c->line = place[n - 1].line;
	if (!c->line)
		return;
	a->first = !a->first || c->line < a->first ? c->line : a->first;
	a->last = c->line > a->last ? c->line : a->last;
}

/* Give each count to the instruction that covers its address. */
static void give(struct annotation *a, const struct counts *c)
{
	const struct count_at *at = c->at + coverage_find(c, a->symbol->start);
	size_t j = 0;

	for (; at < c->at + c->n && at->pc < a->symbol->end; at++) {
		while (j + 1 < a->n && a->code[j + 1].insn.pc <= at->pc)
			j++;
		a->code[j].count += at->count;
		a->total += at->count;
	}
}

int annotation_make(struct annotation *a, struct image *elf, const struct symbol *symbol,
		    const struct counts *c, struct complaint *why)
{
	struct instruction *insn;
	size_t i;

	*a = (struct annotation){.elf = elf, .symbol = symbol};
	insn = disasm(elf, symbol->start, symbol->end, &a->n, why);
	if (!insn)
		return -1;
	a->code = memory_zeroed(a->n, sizeof(*a->code));
	for (i = 0; i < a->n; i++) {
		a->code[i].insn = insn[i];
		locate(a, &a->code[i]);
	}
	free(insn);
	give(a, c);
	return 0;
}

void annotation_free(struct annotation *a)
{
	free(a->code);
}
