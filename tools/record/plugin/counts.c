/* What the plugin of gnomon record has counted: see counts.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "tools/memory.h"
#include "tools/record/plugin/counts.h"

/* Return the instructions that a block has begun since it was charged last. */
static uint64_t counts_new(struct block *b)
{
	uint64_t sum = 0, before = b->charged;
	size_t i;

	if (!b->ran)
		return b->n;
	for (i = 0; i < b->n; i++)
		sum += b->ran[i];
	b->charged = sum;
	return sum - before;
}

/* Charge the block that ran to its path; in most cases it is the one of last time. */
static void counts_charge(struct counts *c)
{
	struct block *b = c->running;
	uint64_t ran;

	if (!b)
		return;
	if (!b->cell || b->path != c->path) {
		table_at(&c->cells, c->path, b->at.pc, 0);
		b->path = c->path;
		b->cell = table_number(&c->cells, c->path, b->at.pc, 0) + 1;
	}
	ran = counts_new(b);
	if (!c->off)
		c->cells.row[b->cell - 1].value += ran;
}

/* Begin or end to count where that is asked for; where both are one, each time the other. */
static void counts_mark(struct counts *c, uint64_t pc)
{
	bool *off = &c->shadow.off;

	if (*off && pc == c->from)
		*off = false;
	else if (!*off && pc == c->until)
		*off = true;
}

void counts_enter(struct counts *c, unsigned cpu, struct block *block)
{
	counts_charge(c);
	if (c->from || c->until)
		counts_mark(c, block->at.pc);
	c->path = shadow_enter(&c->shadow, cpu, &block->at);
	c->running = block;
	c->off = c->shadow.off;
}

void counts_end(struct counts *c)
{
	counts_charge(c);
	c->running = NULL;
}

/* Print a path's return addresses, the outermost first. */
static void counts_print_path(const struct counts *c, uint32_t path, FILE *to)
{
	static const char *const root[SHADOW_ROOTS] = {
		[SHADOW_FIRMWARE] = "firmware;[kernel]",
		[SHADOW_USER] = "guest;[user]",
		[SHADOW_KERNEL] = "guest;[kernel]",
		[SHADOW_INTERRUPT] = "guest;[interrupt]",
	};
	const struct shadow_node *node = c->shadow.node;
	size_t n = 0, room = 0;
	uint64_t *ret = NULL;

	for (; path >= SHADOW_ROOTS; path = node[path].parent) {
		ret = memory_grow(ret, &room, n + 1, sizeof(*ret));
		ret[n++] = node[path].ret;
	}
	fputs(root[path], to);
	while (n > 0)
		fprintf(to, ";0x%" PRIx64, ret[--n]);
	free(ret);
}

/* Print how often each instruction ran: blocks may overlap, and several may be of one place. */
static void counts_print_pcs(const struct counts *c, FILE *to)
{
	struct table pcs = {.n = 0};
	const struct block *b;
	size_t i;

	for (b = c->blocks; b; b = b->next)
		for (i = 0; b->ran && i < b->n; i++)
			*table_at(&pcs, b->at.pc + b->offset[i], b->at.kernel, 0) += b->ran[i];
	for (i = 0; i < pcs.n; i++)
		if (pcs.row[i].key[1])
			fprintf(to, "pc 0x%" PRIx64 " %" PRIu64 "\n", pcs.row[i].key[0],
				pcs.row[i].value);
	table_free(&pcs);
}

/* Print how often each return address called each function, whatever the path. */
static void counts_print_arcs(const struct counts *c, FILE *to)
{
	const struct shadow *s = &c->shadow;
	struct table arcs = {.n = 0};
	size_t i;

	for (i = SHADOW_ROOTS; i < s->nnode; i++)
		*table_at(&arcs, s->node[i].ret, s->node[i].entry, 0) += s->node[i].calls;
	for (i = 0; i < arcs.n; i++)
		fprintf(to, "arc 0x%" PRIx64 " 0x%" PRIx64 " %" PRIu64 "\n", arcs.row[i].key[0],
			arcs.row[i].key[1], arcs.row[i].value);
	table_free(&arcs);
}

int counts_write(const struct counts *c, const char *file)
{
	const struct shadow *s = &c->shadow;
	FILE *to = fopen(file, "w");
	size_t i;

	if (!to)
		return -1;
	for (i = 0; i < c->cells.n; i++) {
		if (!c->cells.row[i].value)
			continue;
		fputs("path ", to);
		counts_print_path(c, (uint32_t)c->cells.row[i].key[0], to);
		fprintf(to, ";0x%" PRIx64 " %" PRIu64 "\n", c->cells.row[i].key[1],
			c->cells.row[i].value);
	}
	counts_print_arcs(c, to);
	counts_print_pcs(c, to);
	fprintf(to, "end %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", s->returns,
		s->unmatched, s->interrupts, s->switches);
	if (fclose(to) != 0)
		return -1;
	return 0;
}
