/* Calls whose times were measured: see calls.h. */
#include <stdlib.h>
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/profile/calls.h"
#include "tools/profile/functions.h"
#include "tools/sorted.h"

/* Return whether a + b is 2^64 or more. */
static bool calls_overflow(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b;
}

/* The cells of the histograms add up to the counts, and times of their own are in the totals. */
bool calls_add(struct calls_times *to, const struct calls_times *from)
{
	size_t i;

	if (calls_overflow(to->count, from->count) || calls_overflow(to->total, from->total))
		return false;
	if (calls_overflow(to->asleep, from->asleep))
		return false;
	if (to->count == 0)
		to->shortest = from->shortest;
	else if (from->count > 0)
		to->shortest = order_min(to->shortest, from->shortest);
	to->longest = order_max(to->longest, from->longest);
	to->count += from->count;
	to->total += from->total;
	to->self += from->self;
	to->asleep += from->asleep;
	for (i = 0; i < CALLS_SPANS; i++)
		to->span[i] += from->span[i];
	return true;
}

void calls_append(struct calls *c, const struct calls_pair *pair)
{
	c->pair = memory_grow(c->pair, &c->room, c->n + 1, sizeof(*c->pair));
	c->pair[c->n++] = *pair;
}

/* Add to a number that ends at the largest. */
static void calls_count(uint64_t *to, uint64_t n)
{
	*to += order_min(n, UINT64_MAX - *to);
}

/* Add to what is known of a CPU. */
static void calls_add_cpu(struct calls_cpu *to, const struct calls_cpu *of)
{
	calls_count(&to->inside, of->inside);
	calls_count(&to->lost, of->lost);
	calls_count(&to->left, of->left);
}

void calls_append_cpu(struct calls *c, size_t cpu, const struct calls_cpu *of)
{
	c->cpu = memory_grow_zeroed(c->cpu, &c->room_cpu, cpu + 1, sizeof(*c->cpu));
	c->ncpu = order_max(c->ncpu, cpu + 1);
	calls_add_cpu(&c->cpu[cpu], of);
}

struct calls_cpu calls_cpus(const struct calls *c)
{
	struct calls_cpu all = {.inside = 0};
	size_t i;

	for (i = 0; i < c->ncpu; i++)
		calls_add_cpu(&all, &c->cpu[i]);
	return all;
}

void calls_free(struct calls *c)
{
	free(c->pair);
	free(c->cpu);
	*c = (struct calls){.pair = NULL};
}

/* For qsort: by function, then by caller. */
static int compare_rows(const void *va, const void *vb)
{
	const struct calls_row *a = va, *b = vb;

	if (a->function != b->function)
		return order(a->function, b->function);
	return order(a->caller, b->caller);
}

/* For sorted_sum(); what a reader has found good has sums that fit. */
static void add_row(void *to, const void *from)
{
	calls_add(&((struct calls_row *)to)->times, &((const struct calls_row *)from)->times);
}

struct calls_row *calls_rows(struct functions *f, bool callers, size_t *n)
{
	const struct calls *c = &f->prof->timed;
	struct calls_row *row = memory_zeroed(c->n, sizeof(*row));
	size_t i;

	for (i = 0; i < c->n; i++) {
		const struct calls_pair *pair = &c->pair[i];

		row[i].function = functions_at(f, pair->image, pair->selfpc);
		if (callers)
			row[i].caller = functions_at(f, pair->image, pair->frompc);
		row[i].times = pair->times;
	}
	*n = sorted_sum(row, c->n, sizeof(*row), compare_rows, add_row);
	return row;
}
