/* Numbers for what is distinct: see distinct.h. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tools/distinct.h"
#include "tools/memory.h"
#include "tools/order.h"

/* Return a number that who made a file cannot know: or else all keys of it could have one hash. */
static uint32_t secret(void)
{
	static uint32_t number;

	while (number == 0)
		if (getentropy(&number, sizeof(number)) < 0)
			number = 1;
	return number;
}

/* Mix the words of a key: Knuth's multiplicative hash, its high bits brought down. */
static uint32_t hash_of_words(const void *key, size_t n)
{
	uint32_t h = secret(), word;
	size_t i;

	for (i = 0; i < n; i += sizeof(word)) {
		memcpy(&word, (const char *)key + i, sizeof(word));
		h = (h ^ word) * 0x9e3779b1u;
		h ^= h >> 15;
	}
	return h;
}

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
	uint32_t hash = hash_of_words(key, d->key);
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
