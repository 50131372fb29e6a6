/* Numbers for what is distinct: see distinct.h. */
#include <stdlib.h>
#include <string.h>
#include "tools/distinct.h"
#include "tools/hash.h"
#include "tools/memory.h"
#include "tools/order.h"

/* Double the table, in which all elements are different. */
static void distinct_grow(struct distinct *d)
{
	struct distinct_slot *old = d->slot;
	size_t slots = d->slots, i, j;

	d->slots = order_max(slots * 2, 256);
	d->slot = memory_zeroed(d->slots, sizeof(*d->slot));
	for (i = 0; i < slots; i++) {
		for (j = old[i].hash & (d->slots - 1); d->slot[j].number;)
			j = (j + 1) & (d->slots - 1);
		if (old[i].number)
			d->slot[j] = old[i];
	}
	free(old);
}

size_t distinct_index(struct distinct *d, const void *array, const void *key, size_t next)
{
	uint32_t hash = (uint32_t)hash_of(key, d->key);
	size_t i;

	if (d->n * 2 >= d->slots)
		distinct_grow(d);
	for (i = hash & (d->slots - 1); d->slot[i].number; i = (i + 1) & (d->slots - 1)) {
		size_t at = d->slot[i].number - 1;

		if (d->slot[i].hash == hash &&
		    memcmp((const char *)array + at * d->size, key, d->key) == 0)
			return at;
	}
	d->slot[i] = (struct distinct_slot){.hash = hash, .number = (uint32_t)next + 1};
	d->n++;
	return next;
}

void distinct_free(struct distinct *d)
{
	free(d->slot);
}
