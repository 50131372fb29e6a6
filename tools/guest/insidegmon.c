/*
 * The call graph profile inside a guest: inside_gmon() of inside.h. Its tables are those of
 * prof/prof_gmon.h, with addresses as wide as the guest's.
 */
#include <stdlib.h>
#include "userland/formats/le.h"
#include "tools/distinct.h"
#include "tools/guest/inside.h"
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/profile/gmonfile.h"

#define CELL 4u /* bytes of text to a cell, of ticks and of callers */

/* An arc; the first two members tell it from others. */
struct arc {
	code_addr selfpc;
	uint64_t slot; /* the caller's cell */
	uint32_t count;
	size_t order;
};

/* All CPUs together. */
struct graph {
	code_addr lowpc;
	uint32_t cells;
	unsigned ncpu;
	struct prof_pace pace;
	uint64_t bytes; /* of all tables so far */
	uint32_t *count; /* by cell */
	struct arc *arc;
	size_t narc, room;
	struct distinct known;
};

/* Add, and saturate. */
static uint32_t insidegmon_plus(uint32_t a, uint32_t b)
{
	return (uint32_t)order_min((uint64_t)a + b, UINT32_MAX);
}

/* Complain that the guest's tables cannot be what they are. */
static int insidegmon_damaged(struct complaint *why)
{
	return complain(why, "gmon's tables are damaged");
}

/* Add a CPU's ticks, and how long they were. */
static int add_ticks(struct inside *in, struct graph *g, unsigned cpu, struct complaint *why)
{
	size_t bytes = g->cells * sizeof(uint32_t), i;
	uint8_t *count = memory_zeroed(bytes, 1);
	struct prof_pace pace;
	int bad = block_add_table(&in->block, &g->bytes, bytes, why);

	if (!bad)
		bad = block_table(&in->block, PROF_BLOCK_GMON_KCOUNT, cpu, count, bytes, why);
	for (i = 0; !bad && i < g->cells; i++)
		g->count[i] = insidegmon_plus(g->count[i], le_get32(count + 4 * i));
	free(count);
	if (bad)
		return -1;
	if (block_pace(&in->block, PROF_BLOCK_GMON_PACE, cpu, &pace, why) < 0)
		return -1;
	g->pace.us = pace.us;
	g->pace.ticks_before += pace.ticks_before;
	g->pace.us_before += pace.us_before;
	return 0;
}

/* Add an entry: struct prof_tostruct. */
static int add_arc(struct graph *g, const uint8_t *p, unsigned width, struct complaint *why)
{
	struct arc arc = {
		.selfpc = le_get_word(p, width),
		.count = le_get32(p + width), .slot = le_get32(p + width + 8),
		.order = g->narc,
	};
	size_t i;

	if (arc.slot >= g->cells)
		return insidegmon_damaged(why);
	i = distinct_index(&g->known, g->arc, &arc, g->narc);
	if (i < g->narc) {
		g->arc[i].count = insidegmon_plus(g->arc[i].count, arc.count);
		return 0;
	}
	g->arc = memory_grow(g->arc, &g->room, g->narc + 1, sizeof(arc));
	g->arc[g->narc++] = arc;
	return 0;
}

/* Add a CPU's calls. The link of the first entry says which one was made last. */
static int add_arcs(struct inside *in, struct graph *g, unsigned cpu, struct complaint *why)
{
	unsigned width = in->block.width, link = width + 4, size = 8 + 2 * width;
	uint32_t limit, used, i;
	uint8_t *tos;
	int bad;

	if (block_number32(&in->block, PROF_BLOCK_GMON_TOLIMIT, cpu, &limit, why) < 0)
		return -1;
	if (limit == 0)
		return insidegmon_damaged(why);
	if (limit > UINT16_MAX)
		return insidegmon_damaged(why);
	if (block_add_table(&in->block, &g->bytes, (uint64_t)limit * size, why) < 0)
		return -1;
	tos = memory_zeroed(limit, size);
	bad = block_table(&in->block, PROF_BLOCK_GMON_TOS, cpu, tos, (size_t)limit * size, why);
	used = le_get16(tos + link);
	if (!bad && used >= limit)
		bad = insidegmon_damaged(why);
	for (i = 1; !bad && i <= used; i++)
		bad = add_arc(g, tos + (size_t)i * size, width, why);
	free(tos);
	return bad;
}

/* Read what the tables are of. */
static int graph_like(struct inside *in, struct graph *g, struct complaint *why)
{
	uint64_t ncpu;
	uint32_t textsize;

	*g = (struct graph){.known = {.size = sizeof(*g->arc), .key = 16}};
	if (block_number(&in->block, PROF_BLOCK_GMON_NCPU, 0, BLOCK_MAXCPU, &ncpu, why) < 0)
		return -1;
	if (ncpu == 0)
		return complain(why, "gmon was not ready in the guest");
	if (block_number(&in->block, PROF_BLOCK_GMON_LOWPC, 0, UINT64_MAX, &g->lowpc, why) < 0)
		return -1;
	if (block_number32(&in->block, PROF_BLOCK_GMON_TEXTSIZE, 0, &textsize, why) < 0)
		return -1;
	if (textsize == 0)
		return insidegmon_damaged(why);
	if (textsize > BLOCK_MAXTABLE)
		return insidegmon_damaged(why);
	g->ncpu = (unsigned)ncpu;
	g->cells = textsize / CELL;
	g->count = memory_zeroed(g->cells, sizeof(*g->count));
	return 0;
}

/* For qsort: by the caller; of one caller the call that came up last is the first, as in lists. */
static int compare_arcs(const void *va, const void *vb)
{
	const struct arc *a = va, *b = vb;

	if (a->slot != b->slot)
		return order(a->slot, b->slot);
	return order(b->order, a->order);
}

/* Return how many ticks there are in a second; gprof divides by it, so it is never 0. */
static uint32_t rate_of(uint32_t us)
{
	if (us == 0)
		return 1;
	return (uint32_t)order_max((1000000 + us / 2) / us, 1);
}

/* Write the file that the guest's kernel would give. */
static int put_gmon(const struct inside *in, struct graph *g, FILE *to, struct complaint *why)
{
	struct gmonfile f = {.to = to, .width = in->block.width};
	uint32_t ticks = 0;
	size_t i;

	for (i = 0; i < g->cells; i++)
		ticks = insidegmon_plus(ticks, g->count[i]);
	f.rate = rate_of(prof_pace_mean(&g->pace, ticks));
	gmonfile_head(&f);
	gmonfile_ticks(&f, g->lowpc, g->count, g->cells);
	if (g->narc)
		qsort(g->arc, g->narc, sizeof(*g->arc), compare_arcs);
	for (i = 0; i < g->narc; i++)
		gmonfile_arc(&f, g->lowpc + g->arc[i].slot * CELL, g->arc[i].selfpc,
			     g->arc[i].count, UINT32_MAX);
	return gmonfile_check(&f, why);
}

int inside_gmon(struct inside *in, FILE *to, struct complaint *why)
{
	struct graph g;
	unsigned cpu;
	int bad = graph_like(in, &g, why);

	for (cpu = 0; !bad && cpu < g.ncpu; cpu++) {
		bad = add_ticks(in, &g, cpu, why);
		if (!bad)
			bad = add_arcs(in, &g, cpu, why);
	}
	if (!bad)
		bad = put_gmon(in, &g, to, why);
	free(g.count);
	free(g.arc);
	distinct_free(&g.known);
	return bad;
}
