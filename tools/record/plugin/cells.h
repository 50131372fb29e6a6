/*
 * Numbers by a key of one word, for the plugin of gnomon record: sums by path and block, and blocks
 * by what they are. They are looked up all the time, so a row is two words, in the place that its
 * key tells, where table.h has four and an index. A hash table with open addressing, which doubles
 * when it is full by two thirds; nothing is ever taken out.
 */
#ifndef TOOLS_RECORD_PLUGIN_CELLS_H
#define TOOLS_RECORD_PLUGIN_CELLS_H

#include <stddef.h>
#include <stdint.h>

struct cell {
	uint64_t key; /* 0: none is here */
	uint64_t sum;
};

/* Begin with zeros. Cells are in no order. */
struct cells {
	struct cell *cell;
	size_t n, room; /* in use; in all: a power of 2, more than n, or 0 */
};

/* Return the sum of a key, which is not 0, until the next call. That of a new key is 0. */
uint64_t *cells_at(struct cells *c, uint64_t key);

/* Bring them in the order of keys: the first n cells then are all there are. None can be added. */
void cells_sort(struct cells *c);

void cells_free(struct cells *c);

#endif
