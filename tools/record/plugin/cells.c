/* Numbers by a key of one word: see cells.h. */
#include <stdlib.h>
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/record/plugin/cells.h"

#define FIRST 4096 /* cells; always a power of 2 */
#define GROUP 8 /* keys whose cells lie together, in two lines of the cache */

/*
 * Return the cell of a key, or the empty one where it belongs. A key's halves are small numbers
 * that follow one another; a product with 2^64 divided by the golden ratio spreads groups of them.
 * A function's blocks are asked for one after the other, on the same path: most are in a group.
 */
static struct cell *cells_find(const struct cells *c, uint64_t key)
{
	size_t group = key / GROUP * 0x9e3779b97f4a7c15u >> 32;
	size_t i = (group * GROUP + key % GROUP) & (c->room - 1);

	while (c->cell[i].key && c->cell[i].key != key)
		i = (i + 1) & (c->room - 1);
	return &c->cell[i];
}

/* Have twice as much room. */
static void cells_widen(struct cells *c)
{
	struct cell *old = c->cell;
	size_t i, n = c->room;

	c->room = n ? 2 * n : FIRST;
	c->cell = memory_zeroed(c->room, sizeof(*c->cell));
	for (i = 0; i < n; i++)
		if (old[i].key)
			*cells_find(c, old[i].key) = old[i];
	free(old);
}

uint64_t *cells_at(struct cells *c, uint64_t key)
{
	struct cell *cell;

	if (3 * c->n >= 2 * c->room)
		cells_widen(c);
	cell = cells_find(c, key);
	c->n += !cell->key;
	cell->key = key;
	return &cell->sum;
}

/* For qsort. */
static int cells_compare(const void *va, const void *vb)
{
	const struct cell *a = va, *b = vb;

	return order(a->key, b->key);
}

void cells_sort(struct cells *c)
{
	size_t i, n = 0;

	for (i = 0; i < c->room; i++)
		if (c->cell[i].key)
			c->cell[n++] = c->cell[i];
	if (n > 0)
		qsort(c->cell, n, sizeof(*c->cell), cells_compare);
}

void cells_free(struct cells *c)
{
	free(c->cell);
	*c = (struct cells){.n = 0};
}
