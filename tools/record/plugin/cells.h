/*
 * Sums by path and block, for the plugin of gnomon record: they are looked up all the time, so a
 * row is two words, where table.h has four and an index. A hash table with open addressing, which
 * doubles when it is full by two thirds; nothing is ever taken out.
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

/* Add to the sum of a key, which is not 0. */
void cells_add(struct cells *c, uint64_t key, uint64_t n);

/* Bring them in the order of keys: the first n cells then are all there are. None can be added. */
void cells_sort(struct cells *c);

void cells_free(struct cells *c);

#endif
