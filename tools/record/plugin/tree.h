/*
 * The tree of call paths that a machine has been on: nodes with numbers, the roots first. Calls
 * from different places of one function to another are different paths; so is each depth of a
 * recursion, so the tree has a limit.
 */
#ifndef TOOLS_RECORD_PLUGIN_TREE_H
#define TOOLS_RECORD_PLUGIN_TREE_H

#include <stdbool.h>
#include "tools/record/plugin/table.h"

#define TREE_MOST (1u << 22) /* nodes, which with their table take some 260 MB */
#define TREE_RECENT 4096 /* of struct tree's `recent': most calls were made a moment ago, too */

/* A path, by its caller's. A root is its own parent. */
struct tree_node {
	uint32_t parent;
	uint64_t ret, entry; /* the return address in the caller; the function called */
};

struct tree {
	struct tree_node *node;
	size_t n, room, most; /* when there are that many, a call stays on its caller's path */
	bool cut; /* one did */
	struct table numbers;	      /* of nodes, by parent, ret and entry */
	uint32_t recent[TREE_RECENT]; /* nodes that were looked up, by a hash; 0: none */
};

/* Begin with that many roots. */
void tree_init(struct tree *t, uint32_t roots);
void tree_free(struct tree *t);

/* Return the path of a call, a new one if it is not known, or the caller's if that is too many. */
uint32_t tree_child(struct tree *t, uint32_t parent, uint64_t ret, uint64_t entry);

/* Return whether a path is that of a call, not where others begin. */
bool tree_is_call(const struct tree *t, uint32_t path);

#endif
