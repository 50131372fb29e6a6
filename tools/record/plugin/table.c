/* Numbers by keys of three words: see table.h. */
#include <stdbool.h>
#include <stdlib.h>
#include "tools/memory.h"
#include "tools/record/plugin/table.h"

#define FIRST 1024 /* slots; always a power of 2 */

/* Mix a key's words so that its low bits depend on all of them. */
static uint64_t table_hash(const uint64_t key[3])
{
	uint64_t h = key[0] * 0x9e3779b97f4a7c15u;

	h = (h ^ h >> 32 ^ key[1]) * 0xd6e8feb86659fd93u;
	h = (h ^ h >> 29 ^ key[2]) * 0x9e3779b97f4a7c15u;
	return h ^ h >> 32;
}

/* Return whether a row has that key. */
static bool table_is(const struct table_row *row, const uint64_t key[3])
{
	if (row->key[0] != key[0] || row->key[1] != key[1])
		return false;
	return row->key[2] == key[2];
}

/* Return the slot of a key, or the empty one where it belongs. */
static uint32_t *table_slot(const struct table *t, const uint64_t key[3])
{
	size_t i = table_hash(key) & (t->nslot - 1);

	while (t->slot[i] && !table_is(&t->row[t->slot[i] - 1], key))
		i = (i + 1) & (t->nslot - 1);
	return &t->slot[i];
}

/* Have twice as many slots. */
static void table_widen(struct table *t)
{
	size_t i;

	free(t->slot);
	t->nslot *= 2;
	if (t->nslot == 0)
		t->nslot = FIRST;
	t->slot = memory_zeroed(t->nslot, sizeof(*t->slot));
	for (i = 0; i < t->n; i++)
		*table_slot(t, t->row[i].key) = (uint32_t)i + 1;
}

uint64_t *table_at(struct table *t, uint64_t a, uint64_t b, uint64_t c)
{
	const uint64_t key[3] = {a, b, c};
	uint32_t *slot;

	if (2 * t->n >= t->nslot)
		table_widen(t);
	slot = table_slot(t, key);
	if (*slot)
		return &t->row[*slot - 1].value;
	t->row = memory_grow(t->row, &t->room, t->n + 1, sizeof(*t->row));
	t->row[t->n] = (struct table_row){.key = {a, b, c}};
	*slot = (uint32_t)++t->n;
	return &t->row[t->n - 1].value;
}

int table_has(const struct table *t, uint64_t a, uint64_t b, uint64_t c)
{
	const uint64_t key[3] = {a, b, c};

	return t->nslot && *table_slot(t, key);
}

size_t table_number(const struct table *t, uint64_t a, uint64_t b, uint64_t c)
{
	const uint64_t key[3] = {a, b, c};

	return *table_slot(t, key) - 1;
}

void table_free(struct table *t)
{
	free(t->row);
	free(t->slot);
	*t = (struct table){.n = 0};
}
