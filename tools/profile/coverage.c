/* The counts of an image by address, and which of its instructions ran: see coverage.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/code/disasm.h"
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/profile/coverage.h"
#include "tools/sorted.h"

#define NAMED 10 /* functions that did not run */

/* For qsort: by address. */
static int compare_counts(const void *va, const void *vb)
{
	const struct count_at *a = va, *b = vb;

	return order(a->pc, b->pc);
}

/* Add a count to another of the same address. */
static void coverage_add(void *to, const void *from)
{
	((struct count_at *)to)->count += ((const struct count_at *)from)->count;
}

/* Append a count at a frame, for which there is room. */
static void coverage_put(struct counts *c, const struct profdata_frame *leaf, uint64_t count)
{
	c->at[c->n++] = (struct count_at){
		.pc = leaf->pc, .span = leaf->span, .end = leaf->pc + leaf->span, .from = leaf->pc,
		.count = count,
	};
}

/*
 * Add up the counts of each address, and give those of buckets to instructions. There may be far
 * fewer addresses than samples: what they do not need is given back.
 */
static void coverage_prepare(const struct profdata *p, uint32_t image, struct counts *c)
{
	struct count_at *fewer;

	c->n = sorted_sum(c->at, c->n, sizeof(*c->at), compare_counts, coverage_add);
	fewer = realloc(c->at, (c->n + 1) * sizeof(*c->at));
	if (fewer)
		c->at = fewer;
	coverage_settle(p->image[image].elf, c);
}

struct counts coverage_counts(const struct profdata *p, uint32_t image)
{
	struct counts c = {.at = memory_zeroed(p->nsample, sizeof(*c.at))};
	const struct profdata_frame *leaf;
	size_t i;

	for (i = 0; i < p->nsample; i++) {
		leaf = profdata_leaf(p, &p->sample[i]);
		if (leaf && leaf->image == image)
			coverage_put(&c, leaf, p->sample[i].count);
	}
	coverage_prepare(p, image, &c);
	return c;
}

/* In one pass over the samples, for there may be as many images as samples. */
struct counts *coverage_all(const struct profdata *p)
{
	struct counts *all = memory_zeroed(p->nimage, sizeof(*all));
	size_t *room = memory_zeroed(p->nimage, sizeof(*room)), i;

	for (i = 0; i < p->nsample; i++) {
		const struct profdata_frame *leaf = profdata_leaf(p, &p->sample[i]);
		struct counts *c;

		if (!leaf)
			continue;
		if (leaf->image == PROFDATA_NONE)
			continue;
		c = &all[leaf->image];
		c->at = memory_grow(c->at, &room[leaf->image], c->n + 1, sizeof(*c->at));
		coverage_put(c, leaf, p->sample[i].count);
	}
	for (i = 0; i < p->nimage; i++)
		coverage_prepare(p, i, &all[i]);
	free(room);
	return all;
}

void coverage_free(const struct profdata *p, struct counts *all)
{
	uint32_t i;

	for (i = 0; i < p->nimage; i++)
		free(all[i].at);
	free(all);
}

size_t coverage_find(const struct counts *c, code_addr pc)
{
	return sorted_below(c->at, c->n, sizeof(*c->at), pc);
}

/* Return whether something of [lo, hi) ran: whether a count lies anywhere in it. */
static bool has_run(const struct counts *c, code_addr lo, code_addr hi)
{
	size_t found = coverage_find(c, lo);

	return found < c->n && c->at[found].pc < hi;
}

/*
 * What only fills a gap need not run, and so it counts neither way, as in cprof(1). Of the kernel
 * calls are counted, at the beginning of each function, where there may be room for a call.
 */
struct coverage coverage_of(struct image *elf, const struct counts *c, code_addr lo,
			    code_addr hi)
{
	struct coverage covered = {.run = 0};
	struct complaint none;
	size_t i, n;
	struct instruction *insn = disasm(elf, lo, hi, &n, &none);

	for (i = 0; insn && i < n; i++) {
		if (!elf->kernel && disasm_is_fill(&insn[i]))
			continue;
		covered.instructions++;
		covered.run += has_run(c, insn[i].pc, insn[i].pc + insn[i].size);
	}
	free(insn);
	return covered;
}

char *coverage_not_run(const struct image *elf, const struct counts *c)
{
	struct memory_stream names;
	const struct symbol *s;
	size_t i, n = 0;

	if (elf->kernel || c->n == 0)
		return NULL;
	memory_stream_open(&names);
	for (i = 0; i < elf->symbols.n; i++) {
		s = &elf->symbols.sym[i];
		if (has_run(c, s->start, s->end))
			continue;
		if (n++ < NAMED)
			fprintf(names.f, "%s%s", n > 1 ? ", " : "", s->name);
	}
	if (n > NAMED)
		fprintf(names.f, ", and %zu more", n - NAMED);
	memory_stream_close(&names);
	if (n > 0)
		return names.data;
	free(names.data);
	return NULL;
}

/* The address of the instruction that a bucket is given to; the first one begins before it. */
static code_addr settled(const struct instruction *insn, size_t n, const struct count_at *at)
{
	size_t i = sorted_below(insn, n, sizeof(*insn), at->pc);

	if (i == n || insn[i].pc - at->pc >= at->span)
		i--;
	return insn[i].pc;
}

bool coverage_shared(struct image *elf, const struct count_at *at)
{
	return !image_one_line(elf, at->pc, at->end);
}

/* Buckets ascend, so that each function is disassembled only once. */
void coverage_settle(struct image *elf, struct counts *c)
{
	const struct symbol *symbol, *last = NULL;
	struct instruction *insn = NULL;
	struct count_at *at;
	struct complaint none;
	size_t ninsn = 0;

	for (at = c->at; at < c->at + c->n; at++) {
		if (at->span <= 1)
			continue;
		symbol = image_symbol(elf, at->pc);
		if (!symbol)
			continue;
		if (symbol != last) {
			free(insn);
			insn = disasm(elf, symbol->start, symbol->end, &ninsn, &none);
			last = symbol;
		}
		if (!insn)
			continue;
		at->pc = settled(insn, ninsn, at);
		at->span = 1;
	}
	free(insn);
}
