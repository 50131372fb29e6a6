/* Where instructions are: see outline.h. */
#include <stdlib.h>
#include "tools/code/disasm.h"
#include "tools/code/outline.h"
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/sorted.h"

/* Those of an image. */
struct outlines {
	struct outline *of; /* by the symbol's index */
	bool summed;
	size_t instructions; /* of all, once they are summed */
};

/* Return those of an image, begun when first needed. */
static struct outlines *outlines_of(struct image *image)
{
	if (image->outlines)
		return image->outlines;
	image->outlines = memory_zeroed(1, sizeof(*image->outlines));
	image->outlines->of = memory_zeroed(image->symbols.n, sizeof(struct outline));
	return image->outlines;
}

/* Disassemble a symbol's function, and keep where its instructions are. */
static void outline_make(struct image *image, size_t i, struct outline *o)
{
	const struct symbols *s = &image->symbols;
	code_addr end = s->sym[i].end;
	struct instruction *insn;
	struct complaint none;
	size_t k;

	if (i + 1 < s->n)
		end = order_min(end, s->sym[i + 1].start);
	o->known = true;
	insn = disasm(image, s->sym[i].start, end, &o->n, &none);
	if (!insn)
		return;
	o->at = memory_zeroed(o->n, sizeof(*o->at));
	for (k = 0; k < o->n; k++) {
		o->at[k] = (struct outline_instruction){
			.pc = insn[k].pc, .size = insn[k].size, .fill = disasm_is_fill(&insn[k]),
		};
		o->instructions += image->kernel || !o->at[k].fill;
	}
	free(insn);
}

const struct outline *outline_of(struct image *image, const struct symbol *symbol)
{
	size_t i = symbol - image->symbols.sym;
	struct outline *o = &outlines_of(image)->of[i];

	if (!o->known)
		outline_make(image, i, o);
	return o;
}

size_t outline_instructions(struct image *image)
{
	struct outlines *all = outlines_of(image);
	size_t i;

	for (i = 0; !all->summed && i < image->symbols.n; i++)
		all->instructions += outline_of(image, &image->symbols.sym[i])->instructions;
	all->summed = true;
	return all->instructions;
}

const struct outline_instruction *outline_find(const struct outline *o, code_addr pc)
{
	size_t n = sorted_below(o->at, o->n, sizeof(*o->at), pc + 1);

	if (n == 0)
		return NULL;
	if (pc - o->at[n - 1].pc >= o->at[n - 1].size)
		return NULL;
	return &o->at[n - 1];
}

void outline_free(struct outlines *all, size_t n)
{
	size_t i;

	if (!all)
		return;
	for (i = 0; i < n; i++)
		free(all->of[i].at);
	free(all->of);
	free(all);
}
