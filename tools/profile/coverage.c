/* The counts of an image by address, and which of its instructions ran: see coverage.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/code/outline.h"
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

/* Return whether something of a function ran: whether a count lies anywhere in it. */
static bool has_run(const struct image *elf, const struct counts *c, const struct symbol *s)
{
	size_t found = coverage_find(c, s->start);

	return found < c->n && symbols_at(&elf->symbols, c->at[found].pc) == s;
}

/* Return how many instructions of a function have counts, from number i on. */
static size_t instructions_run(const struct image *elf, const struct outline *o,
			       const struct counts *c, size_t i)
{
	code_addr end = o->at[o->n - 1].pc + o->at[o->n - 1].size;
	const struct outline_instruction *insn, *last = NULL;
	size_t n = 0;

	for (; i < c->n && c->at[i].pc < end; i++) {
		insn = outline_find(o, c->at[i].pc);
		if (insn && insn != last)
			n += elf->kernel || !insn->fill;
		if (insn)
			last = insn;
	}
	return n;
}

/*
 * What only fills a gap need not run, and so it counts neither way, as in cprof(1). Of the kernel
 * calls are counted, at the beginning of each function, where there may be room for a call.
 */
struct coverage coverage_of(struct image *elf, const struct counts *c,
			    const struct symbol *symbol)
{
	const struct outline *o = outline_of(elf, symbol);
	struct coverage covered = {.instructions = o->instructions};

	if (o->n > 0)
		covered.run = instructions_run(elf, o, c, coverage_find(c, symbol->start));
	return covered;
}

const struct symbol *coverage_next(const struct image *elf, const struct counts *c, size_t *at)
{
	const struct symbol *symbol = NULL;

	for (; *at < c->n && !symbol; ++*at)
		symbol = image_symbol(elf, c->at[*at].pc);
	while (*at < c->n && image_symbol(elf, c->at[*at].pc) == symbol)
		++*at;
	return symbol;
}

struct coverage coverage_of_all(struct image *elf, const struct counts *c)
{
	struct coverage covered = {.instructions = outline_instructions(elf)};
	const struct symbol *symbol;
	size_t at = 0;

	while ((symbol = coverage_next(elf, c, &at)) != NULL)
		covered.run += coverage_of(elf, c, symbol).run;
	return covered;
}

/* Return how many functions ran. */
static size_t functions_run(const struct image *elf, const struct counts *c)
{
	size_t at = 0, n = 0;

	while (coverage_next(elf, c, &at))
		n++;
	return n;
}

char *coverage_not_run(const struct image *elf, const struct counts *c)
{
	const struct symbols *all = &elf->symbols;
	struct memory_stream names;
	const char *comma = "";
	size_t i, n = all->n - functions_run(elf, c), named = 0;

	if (elf->kernel || c->n == 0 || n == 0)
		return NULL;
	memory_stream_open(&names);
	for (i = 0; i < all->n && named < NAMED; i++) {
		if (has_run(elf, c, &all->sym[i]))
			continue;
		fprintf(names.f, "%s%s", comma, all->sym[i].name);
		comma = ", ";
		named++;
	}
	if (n > named)
		fprintf(names.f, ", and %zu more", n - named);
	memory_stream_close(&names);
	return names.data;
}

/* The address of the instruction that a bucket is given to; the first one begins before it. */
static code_addr settled(const struct outline *o, const struct count_at *at)
{
	size_t i = sorted_below(o->at, o->n, sizeof(*o->at), at->pc);

	if (i == 0)
		return o->at[0].pc;
	if (i == o->n || o->at[i].pc - at->pc >= at->span)
		i--;
	return o->at[i].pc;
}

bool coverage_shared(struct image *elf, const struct count_at *at)
{
	return !image_one_line(elf, at->pc, at->end);
}

void coverage_settle(struct image *elf, struct counts *c)
{
	const struct symbol *symbol;
	const struct outline *o;
	struct count_at *at;

	for (at = c->at; at < c->at + c->n; at++) {
		if (at->span <= 1)
			continue;
		symbol = image_symbol(elf, at->pc);
		if (!symbol)
			continue;
		o = outline_of(elf, symbol);
		if (o->n == 0)
			continue;
		at->pc = settled(o, at);
		at->span = 1;
	}
}
