/*
 * Skip lists: nodes in ascending order of their keys. To find, add or remove one of n takes
 * steps in proportion to log n, and to go on to the next takes one. The node is part of what is
 * listed; the caller holds a lock.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define SKIP_LEVELS 6 /* each has a quarter of the nodes of the one below: enough for 4^6 */

struct skipnode {
	uint64_t key; /* no other node of the list has the same; nodes differ in the low word */
	void *of;     /* whatever has that key */
	struct skipnode *next[SKIP_LEVELS]; /* next[0]: of all nodes; NULL at the end */
	struct skipnode *before;	    /* of all nodes, too; the head before the first */
};

/* Zeroed, it is empty. */
struct skiplist {
	struct skipnode head;  /* before all others; it has no key */
	struct skipnode *near; /* found or added last: it is asked for again, or the next is */
	unsigned height;       /* levels that have nodes, or had */
};

/* Return the first node whose key is no less; NULL: there is none. */
struct skipnode *skip_from(struct skiplist *l, uint64_t key);
/* Add a node whose key is set; false, and the list is as before, if there is one with that key. */
bool skip_add(struct skiplist *l, struct skipnode *n);
/* Take a node off the list that it is in. */
void skip_remove(struct skiplist *l, struct skipnode *n);
