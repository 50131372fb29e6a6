/*
 * Numbers by keys of three words, for the plugin of gnomon record. Keys of fewer words have 0 in
 * the others. Nothing is ever taken out, and there are 2^32 - 1 rows at most, which would fill
 * 128 GiB.
 */
#ifndef TOOLS_RECORD_PLUGIN_TABLE_H
#define TOOLS_RECORD_PLUGIN_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct table_row {
	uint64_t key[3], value;
};

/* Rows are in the order in which they were added. Begin with zeros. */
struct table {
	struct table_row *row;
	size_t n, room;
	uint32_t *slot; /* numbers of rows and 1, by hash; 0: empty */
	size_t nslot;
};

/*
 * Return the value of a key, which is 0 if the key is new, until the next call: the rows may move
 * then. What only asks uses table_has(), which adds nothing.
 */
uint64_t *table_at(struct table *t, uint64_t a, uint64_t b, uint64_t c);

/* Return the number of the row of a key that is known. */
size_t table_number(const struct table *t, uint64_t a, uint64_t b, uint64_t c);

/* Return whether there is such a key. */
int table_has(const struct table *t, uint64_t a, uint64_t b, uint64_t c);

void table_free(struct table *t);

#endif
