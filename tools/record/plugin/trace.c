/* Which functions processors enter and leave: see trace.h. */
#include <inttypes.h>
#include <stdlib.h>
#include "tools/memory.h"
#include "tools/record/plugin/trace.h"

/*
 * Return what a path shows: itself if its function is chosen, else what its caller does. What new
 * paths show is found out first: a caller's number is below those of what it calls.
 */
static uint32_t trace_shown(struct trace *t, const struct tree *tree, uint32_t path)
{
	const struct tree_node *node;
	size_t i;

	for (i = t->nshown; i < tree->n; i++) {
		node = &tree->node[i];
		t->shown = memory_grow(t->shown, &t->room, i + 1, sizeof(*t->shown));
		t->shown[i] = (uint32_t)i;
		if (!tree_is_call(tree, (uint32_t)i))
			continue;
		if (t->chosen.n && !table_has(&t->chosen, node->entry, 0, 0))
			t->shown[i] = t->shown[node->parent];
	}
	t->nshown = tree->n;
	return t->shown[path];
}

/* Return the address in the function that a path shows: where it called the next, or pc. */
static uint64_t trace_pc(const struct tree *tree, uint32_t path, uint32_t shown, uint64_t pc)
{
	for (; path != shown; path = tree->node[path].parent)
		pc = tree->node[path].ret;
	return pc;
}

/* Add a record. A ring grows with its records, until it has all that are kept. */
static void trace_add(struct trace *t, struct trace_ring *ring, const struct trace_record *r)
{
	uint64_t i = ring->n++ % t->keep;

	ring->record = memory_grow(ring->record, &ring->room, i + 1, sizeof(*r));
	ring->record[i] = *r;
}

/* Record that nothing is from now on, once. */
static void trace_end(struct trace *t, const struct shadow *s, struct trace_ring *ring)
{
	if (ring->on)
		trace_add(t, ring, &(struct trace_record){.time = s->now, .path = TRACE_OFF});
	ring->on = false;
}

void trace_go(struct trace *t, const struct shadow *s, unsigned cpu, uint32_t path, uint64_t pc)
{
	struct trace_ring *ring = &t->ring[cpu];
	struct trace_record r = {.time = s->now};
	unsigned i;

	if (t->stopped)
		return;
	if (path == TRACE_OFF) {
		trace_end(t, s, ring);
		return;
	}
	if (ring->on && path == ring->path)
		return;
	ring->path = path;
	r.path = trace_shown(t, &s->tree, path);
	if (!ring->on || r.path != ring->shown) {
		r.pc = trace_pc(&s->tree, path, r.path, pc);
		trace_add(t, ring, &r);
	}
	ring->shown = r.path;
	ring->on = true;
	for (i = 0; s->late && i < SHADOW_CPUS; i++) /* this return was late: it is the last */
		trace_end(t, s, &t->ring[i]);
	t->stopped = s->late;
}

/* Write what is left of a CPU's. */
static void trace_write_ring(const struct trace *t, const struct trace_ring *ring,
			     const struct shadow *s,
			     void (*print)(const struct shadow *s, uint32_t path, FILE *to),
			     FILE *to)
{
	uint64_t i = 0;
	uint32_t last = TRACE_OFF;

	if (ring->n > t->keep)
		i = ring->n - t->keep;
	for (; i < ring->n; i++) {
		const struct trace_record *r = &ring->record[i % t->keep];

		if (r->path == TRACE_OFF) {
			fprintf(to, "off %" PRIu64 "\n", r->time);
			continue;
		}
		if (r->path != last)
			print(s, r->path, to);
		last = r->path;
		fprintf(to, "go 0x%" PRIx64 " %" PRIu64 "\n", r->pc, r->time);
	}
}

void trace_write(const struct trace *t, const struct shadow *s,
		 void (*print)(const struct shadow *s, uint32_t path, FILE *to), FILE *to)
{
	unsigned cpu;

	for (cpu = 0; cpu < SHADOW_CPUS; cpu++) {
		const struct trace_ring *ring = &t->ring[cpu];
		uint64_t lost = 0;

		if (ring->n > t->keep)
			lost = ring->n - t->keep;
		if (ring->n)
			fprintf(to, "trace %u %" PRIu64 " %" PRIu64 "\n", cpu, ring->n - lost,
				lost);
		trace_write_ring(t, ring, s, print, to);
	}
}

void trace_free(struct trace *t)
{
	unsigned cpu;

	for (cpu = 0; cpu < SHADOW_CPUS; cpu++)
		free(t->ring[cpu].record);
	free(t->shown);
	table_free(&t->chosen);
}
