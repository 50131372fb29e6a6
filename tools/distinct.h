/*
 * Numbers for what is distinct: finding the element of an array that begins with a key. Keys may
 * come from a file that somebody made: nobody can choose some that fall together (tools/hash.h).
 */
#ifndef TOOLS_DISTINCT_H
#define TOOLS_DISTINCT_H

#include <stddef.h>
#include <stdint.h>

/* A hash table over an array; at first all 0 but for the first two. */
struct distinct {
	size_t size; /* of the array's elements, in bytes */
	size_t key;  /* how many of these, at the beginning, are the key */
	struct distinct_slot {
		uint32_t hash, number; /* number 0: the slot is free; or else the index plus 1 */
	} *slot;
	size_t slots, n; /* of the n that are used at most half are */
};

/*
 * Return the index of the element with that key among those that have been looked up so far, or
 * else `next`, which it has from now on: the caller puts it there.
 */
size_t distinct_index(struct distinct *d, const void *array, const void *key, size_t next);

/* Free the table; the array is the caller's. */
void distinct_free(struct distinct *d);

#endif
