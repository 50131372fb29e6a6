/* What the plugin of gnomon record has counted: see counts.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "tools/memory.h"
#include "tools/record/plugin/calls.h"
#include "tools/record/plugin/counts.h"
#include "tools/record/plugin/process.h"

#define BEGUN "begun\n"
#define BLOCKS 1024 /* that are given memory at once */

/* Blocks lie beside the one that was added before, for they often run one after the other. */
struct block *counts_add(struct counts *c, const struct block *like)
{
	struct block *block;

	if (c->nspare == 0) {
		c->spare = aligned_alloc(_Alignof(struct block), BLOCKS * sizeof(*c->spare));
		c->nspare = BLOCKS;
	}
	if (!c->spare)
		return NULL;
	c->nspare--;
	block = c->spare++;
	c->block = memory_grow(c->block, &c->room, c->nblock + 1, sizeof(struct block *));
	c->block[c->nblock++] = block;
	*block = *like;
	block->number = (uint32_t)c->nblock;
	block->place = block->other[0].place = block->other[1].place = COUNTS_OFF;
	return block;
}

/* Return the instructions that a block has begun since it was charged. */
static uint64_t counts_new(struct block *b)
{
	uint64_t sum = b->begun * b->at.n, before;
	size_t i;

	b->begun = 0;
	if (!b->each)
		return sum;
	for (i = 0, sum = 0; i < b->at.n; i++)
		sum += b->each->ran[i];
	before = b->each->charged;
	b->each->charged = sum;
	return sum - before;
}

/* Charge a block where it ran. */
static void counts_charge(struct counts *c, struct block *b)
{
	uint64_t n = counts_new(b);

	if (n && b->place != COUNTS_OFF)
		*cells_at(&c->cells, (uint64_t)b->place << 32 | b->number) += n;
}

/* Exchange where a block ran last and one of those where it ran before. */
static void counts_exchange(struct block *b, struct block_run *other)
{
	struct block_run run = *other;

	*other = (struct block_run){b->begun, b->place};
	b->begun = run.begun;
	b->place = run.place;
}

/*
 * A block is entered in another place. Many go to and fro between some, so the last three are
 * kept: if it is none of them, charge the block where it has not been for longest.
 */
static void counts_move(struct counts *c, struct block *b, uint32_t place)
{
	if (!b->each) {
		counts_exchange(b, &b->other[0]);
		if (b->place != place)
			counts_exchange(b, &b->other[1]);
	}
	if (b->place != place)
		counts_charge(c, b);
	b->place = place;
}

/* Draw how many instructions there are up to the next sample: 1 to twice the mean, less 1. */
static uint64_t counts_draw(struct counts *c)
{
	c->random ^= c->random << 13;
	c->random ^= c->random >> 7;
	c->random ^= c->random << 17;
	return 1 + c->random % (2 * c->period - 1);
}

/* Return when there is something to do next besides counting: one comparison a block tells. */
static uint64_t counts_next(const struct counts *c)
{
	if (c->period && c->due < c->most)
		return c->due;
	return c->most;
}

void counts_begin(struct counts *c)
{
	c->random = 0x9e3779b97f4a7c15u;
	c->due = c->period;
	c->next = counts_next(c);
	c->shadow.off = c->from != 0;
}

bool counts_timed(const struct counts *c)
{
	if (c->most != UINT64_MAX)
		return true;
	if (c->trace.keep)
		return true;
	return c->shadow.slow;
}

/* Return where a CPU runs. */
static uint32_t counts_here(struct counts *c, unsigned cpu)
{
	if (c->shadow.off)
		return COUNTS_OFF;
	return shadow_path(&c->shadow, cpu) | cpu << COUNTS_PATHS;
}

/* Return the block that a CPU runs, which there is, as it is known to the shadow. */
static const struct block *counts_block(const struct counts *c, unsigned cpu)
{
	const char *at = (const char *)c->shadow.cpu[cpu].block;

	return (const struct block *)(const void *)(at - offsetof(struct block, at));
}

/* Take the samples that were due in a block; end the machine when all that was wanted has run. */
__attribute__((noinline)) static void counts_due(struct counts *c, unsigned cpu)
{
	const struct block *b = counts_block(c, cpu);

	while (c->period && c->due <= c->shadow.now) {
		c->due += counts_draw(c);
		if (!c->shadow.off)
			*cells_at(&c->cells, (uint64_t)counts_here(c, cpu) << 32 | b->number) +=
				c->period;
	}
	if (c->shadow.now >= c->most) {
		c->most = UINT64_MAX;
		c->ended();
	}
	c->next = counts_next(c);
}

/* Begin or end to count where that is asked for; where both are one, each time the other. */
static void counts_mark(struct counts *c, uint64_t pc)
{
	bool *off = &c->shadow.off;

	if (pc == (*off ? c->from : c->until))
		*off = !*off;
}

/* A CPU begins a block that is not simply the next one. Find where it runs. */
__attribute__((noinline)) static void counts_place(struct counts *c, unsigned cpu,
						   struct block *block)
{
	if (c->from || c->until)
		counts_mark(c, block->at.pc);
	shadow_enter(&c->shadow, cpu, &block->at);
	if (!c->period)
		c->place[cpu] = counts_here(c, cpu);
	if (c->trace.keep)
		trace_go(&c->trace, &c->shadow, cpu,
			 c->shadow.off ? TRACE_OFF : shadow_path(&c->shadow, cpu), block->at.pc);
}

/* Let the time of the block pass that a CPU has run. */
static inline void counts_pass(struct counts *c, unsigned cpu)
{
	const struct shadow_block *b = c->shadow.cpu[cpu].block;

	if (!b)
		return;
	c->shadow.now += b->n;
	if (c->shadow.now >= c->next)
		counts_due(c, cpu);
}

/* Charge a block wherever it ran. */
static void counts_finish(struct counts *c, struct block *b)
{
	counts_charge(c, b);
	counts_exchange(b, &b->other[0]);
	counts_charge(c, b);
	counts_exchange(b, &b->other[1]);
	counts_charge(c, b);
}

/* Count a block as begun where a CPU runs. */
static inline void counts_count(struct counts *c, unsigned cpu, struct block *block)
{
	if (block->place != c->place[cpu])
		counts_move(c, block, c->place[cpu]);
	block->begun++;
}

void counts_enter(struct counts *c, unsigned cpu, struct block *block)
{
	counts_pass(c, cpu);
	if (c->from || c->until || !shadow_goes_on(&c->shadow, cpu, &block->at))
		counts_place(c, cpu, block);
	if (!c->period)
		counts_count(c, cpu, block);
}

/* Return whether a CPU begins a block on the path that it is on, and nothing is due before. */
static inline bool counts_goes_on(struct counts *c, unsigned cpu, struct block *block)
{
	const struct shadow_block *b = c->shadow.cpu[cpu].block;
	uint64_t now;

	if (!b)
		return false;
	now = c->shadow.now + b->n;
	if (now >= c->next)
		return false;
	if (!shadow_goes_on(&c->shadow, cpu, &block->at))
		return false;
	c->shadow.now = now;
	return true;
}

/* The rest of counts_all(): the path is another one. */
__attribute__((noinline)) static void counts_more(struct counts *c, unsigned cpu,
						  struct block *block)
{
	counts_place(c, cpu, block);
	counts_count(c, cpu, block);
}

/* The rest where the path is the same, but the block ran on another last. */
__attribute__((noinline)) static void counts_again(struct counts *c, unsigned cpu,
						  struct block *block)
{
	counts_count(c, cpu, block);
}

/* What is called here is called last, so that most blocks need no registers to be saved. */
void counts_all(struct counts *c, unsigned cpu, struct block *block)
{
	if (!shadow_goes_on(&c->shadow, cpu, &block->at))
		counts_more(c, cpu, block);
	else if (block->place != c->place[cpu])
		counts_again(c, cpu, block);
	else
		block->begun++;
}

/* The rest of counts_sample() where a sample is due, or the path is another one. */
__attribute__((noinline)) static void counts_turn(struct counts *c, unsigned cpu,
						  struct block *block)
{
	counts_pass(c, cpu);
	counts_place(c, cpu, block);
}

/*
 * What is called here is called last, so that most blocks need no registers to be saved. Nothing of
 * the new block is needed before it has run: it is in none of the caches mostly.
 */
void counts_sample(struct counts *c, unsigned cpu, struct block *block)
{
	__builtin_prefetch(&block->at.n);
	if (!counts_goes_on(c, cpu, block))
		counts_turn(c, cpu, block);
}

bool counts_by_call(const struct counts *c, unsigned cpu)
{
	const struct shadow_block *b = c->shadow.cpu[cpu].block;

	if (!b || c->trace.keep)
		return false;
	return b->end == DECODE_CALL || b->end == DECODE_RETURN;
}

void counts_all_by_call(struct counts *c, unsigned cpu, struct block *block)
{
	if (shadow_comes_by_call(&c->shadow, cpu, &block->at))
		c->place[cpu] = counts_here(c, cpu);
	else if (!shadow_goes_on(&c->shadow, cpu, &block->at))
		counts_place(c, cpu, block);
	counts_count(c, cpu, block);
}

void counts_sample_by_call(struct counts *c, unsigned cpu, struct block *block)
{
	const struct shadow_block *b = c->shadow.cpu[cpu].block;

	if (b && c->shadow.now + b->n < c->next) {
		c->shadow.now += b->n;
		if (shadow_comes_by_call(&c->shadow, cpu, &block->at))
			return;
		if (!shadow_goes_on(&c->shadow, cpu, &block->at))
			counts_place(c, cpu, block);
	} else {
		counts_turn(c, cpu, block);
	}
}

void counts_end(struct counts *c)
{
	size_t i;

	for (i = 0; i < SHADOW_CPUS; i++)
		counts_pass(c, (unsigned)i);
	for (i = 0; i < c->nblock; i++) {
		counts_finish(c, c->block[i]);
		calls_flush(&c->shadow, &c->block[i]->at);
	}
	for (i = 0; c->trace.keep && i < SHADOW_CPUS; i++)
		trace_go(&c->trace, &c->shadow, (unsigned)i, TRACE_OFF, 0);
}

/* Print where a path begins. Return whether it goes on: programs without names have none. */
static bool counts_print_root(const struct shadow *s, uint32_t path, FILE *to)
{
	static const char *const root[SHADOW_ROOTS] = {
		[SHADOW_FIRMWARE] = "firmware;[kernel]",
		[SHADOW_USER] = "guest;[user]",
		[SHADOW_KERNEL] = "guest;[kernel]",
		[SHADOW_INTERRUPT] = "guest;[interrupt]",
	};
	uint32_t process = process_of(s, path);
	const char *name = NULL;

	if (process)
		name = process_name(s, process);
	if (name) {
		fprintf(to, "path %s;[user]", name);
		return true;
	}
	if (process)
		path = SHADOW_USER;
	while (path >= SHADOW_ROOTS)
		path = s->tree.node[path].parent;
	fprintf(to, "path %s", root[path]);
	return !process;
}

/* Print a path's return addresses, the outermost first. */
static void counts_print_path(const struct shadow *s, uint32_t path, FILE *to)
{
	const struct tree_node *node = s->tree.node;
	size_t n = 0, room = 0;
	uint64_t *ret = NULL;

	if (counts_print_root(s, path, to)) {
		for (; tree_is_call(&s->tree, path); path = node[path].parent) {
			ret = memory_grow(ret, &room, n + 1, sizeof(*ret));
			ret[n++] = node[path].ret;
		}
	}
	while (n > 0)
		fprintf(to, ";0x%" PRIx64, ret[--n]);
	fputc('\n', to);
	free(ret);
}

/*
 * Print how often each instruction of the kernel's ran: blocks may overlap, and several may be of
 * one place, for code that is changed and translated anew is another block.
 */
static void counts_print_pcs(const struct counts *c, FILE *to)
{
	struct table pcs = {.n = 0};
	size_t i, k;

	for (k = 0; k < c->nblock; k++) {
		const struct block *b = c->block[k];
		bool inside = b->at.where == SHADOW_INSIDE;

		for (i = 0; b->each && i < b->at.n; i++)
			*table_at(&pcs, b->at.pc + b->each->offset[i], inside, 0) +=
				b->each->ran[i];
	}
	for (i = 0; i < pcs.n; i++)
		if (pcs.row[i].key[1])
			fprintf(to, "pc 0x%" PRIx64 " %" PRIu64 "\n", pcs.row[i].key[0],
				pcs.row[i].value);
	table_free(&pcs);
}

/* Print how often each return address called each function, whatever the path. */
static void counts_print_arcs(const struct counts *c, FILE *to)
{
	const struct table *arcs = &c->shadow.arcs;
	size_t i;

	for (i = 0; i < arcs->n; i++)
		fprintf(to, "arc 0x%" PRIx64 " 0x%" PRIx64 " %" PRIu64 "\n", arcs->row[i].key[0],
			arcs->row[i].key[1], arcs->row[i].value);
}

/* Print the sums by path, and those by CPU. A cell's key is its place above its block's number. */
static void counts_print_cells(struct counts *c, FILE *to)
{
	const uint32_t paths = (1u << COUNTS_PATHS) - 1;
	uint64_t sum[SHADOW_CPUS] = {0};
	uint32_t last = COUNTS_OFF;
	size_t i;

	cells_sort(&c->cells);
	for (i = 0; i < c->cells.n; i++) {
		const struct cell *cell = &c->cells.cell[i];
		uint32_t place = (uint32_t)(cell->key >> 32);
		const struct block *b = c->block[(uint32_t)cell->key - 1];

		sum[place >> COUNTS_PATHS] += cell->sum;
		if (place != last)
			counts_print_path(&c->shadow, place & paths, to);
		last = place;
		fprintf(to, "at 0x%" PRIx64 " %" PRIu64 "\n", b->at.pc, cell->sum);
	}
	for (i = 0; i < SHADOW_CPUS; i++)
		if (sum[i])
			fprintf(to, "cpu %zu %" PRIu64 "\n", i, sum[i]);
}

int counts_write_begun(const char *file)
{
	FILE *to = fopen(file, "w");

	if (!to)
		return -1;
	fputs(BEGUN, to);
	return fclose(to);
}

int counts_write(struct counts *c, const char *file)
{
	const struct shadow *s = &c->shadow;
	FILE *to = fopen(file, "w");
	size_t kept = 0;

	if (!to)
		return -1;
	fputs(BEGUN, to);
	if (c->moved)
		fprintf(to, "moved %" PRIu64 " %" PRIu64 "\n", c->shift, c->moved);
	counts_print_cells(c, to);
	counts_print_arcs(c, to);
	counts_print_pcs(c, to);
	trace_write(&c->trace, s, counts_print_path, to);
	if (s->tree.cut)
		kept = s->tree.most;
	fprintf(to, "end %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %d %zu\n", s->returns,
		s->begun, s->jumps, s->unmatched, s->late, kept);
	if (fclose(to) != 0)
		return -1;
	return 0;
}
