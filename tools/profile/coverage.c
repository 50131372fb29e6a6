/* Which instructions ran: see coverage.h. */
#include <stdlib.h>
#include "tools/profile/coverage.h"
#include "tools/code/disasm.h"
#include "tools/memory.h"

/* By address. */
static int compare(const void *va, const void *vb)
{
	const struct count_at *a = va, *b = vb;

	return a->pc < b->pc ? -1 : a->pc > b->pc;
}

/* Samples of one image, sorted, equal addresses merged. */
struct count_at *coverage_counts(const struct profdata *p, uint32_t image, size_t *n)
{
	const struct profdata_frame *leaf;
	struct count_at *at = memory_zeroed(p->nsample, sizeof(*at));
	size_t i, kept = 0, m = 0;

	for (i = 0; i < p->nsample; i++) {
		leaf = profdata_leaf(p, &p->sample[i]);
		if (leaf && leaf->image == image)
			at[m++] = (struct count_at){
				.pc = leaf->pc, .span = p->sample[i].span,
				.count = p->sample[i].count,
			};
	}
	if (m)
		qsort(at, m, sizeof(*at), compare);
	for (i = 0; i < m; i++) {
		if (kept > 0 && at[kept - 1].pc == at[i].pc)
			at[kept - 1].count += at[i].count;
		else
			at[kept++] = at[i];
	}
	*n = kept;
	return at;
}

/* By halving. */
size_t coverage_find(const struct count_at *at, size_t n, uint32_t pc)
{
	size_t lo = 0, hi = n, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (at[mid].pc < pc)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Every instruction that begins in [lo, hi). */
struct coverage coverage_of(const struct image *elf, const struct count_at *at, size_t n,
			    uint32_t lo, uint32_t hi)
{
	struct coverage c = {.run = 0};
	struct complaint none;
	struct instruction *insn;
	size_t i, found;

	insn = disasm(elf, lo, hi, &c.instructions, &none);
	for (i = 0; i < c.instructions; i++) {
		found = coverage_find(at, n, insn[i].pc);
		c.run += found < n && at[found].pc < insn[i].pc + insn[i].size;
	}
	free(insn);
	return c;
}

/* The instruction that a bucket is given to, of n that ascend; the first begins before it. */
static uint32_t settled(const struct instruction *insn, size_t n, const struct count_at *at)
{
	size_t lo = 0, hi = n, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (insn[mid].pc < at->pc)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < n && insn[lo].pc - at->pc < at->span ? insn[lo].pc : insn[lo - 1].pc;
}

/* Buckets ascend, so each function is taken apart once. */
void coverage_settle(const struct image *elf, struct count_at *at, size_t n)
{
	const struct symbol *symbol, *last = NULL;
	struct instruction *insn = NULL;
	struct complaint none;
	size_t i, ninsn = 0;

	for (i = 0; i < n; i++) {
		symbol = at[i].span > 1 ? image_symbol(elf, at[i].pc) : NULL;
		if (symbol && symbol != last) {
			free(insn);
			insn = disasm(elf, symbol->start, symbol->end, &ninsn, &none);
			last = symbol;
		}
		if (symbol && insn)
			at[i].pc = settled(insn, ninsn, &at[i]);
		at[i].span = symbol && insn ? 1 : at[i].span;
	}
	free(insn);
}
