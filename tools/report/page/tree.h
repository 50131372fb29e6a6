/*
 * The call paths of one profile, or of two that are compared, as the tree that the page draws.
 * What is below a share of everything is folded, so that the tree has an end however many paths
 * there are; and it is flat, so that its depth does not matter.
 */
#ifndef TOOLS_REPORT_PAGE_TREE_H
#define TOOLS_REPORT_PAGE_TREE_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#define TREE_SIDES 2	       /* A and B of a comparison; of one profile just the first */
#define TREE_OTHERS UINT32_MAX /* the label of what was folded */

/* A path: n labels, the outermost first, and its count on each side. */
struct tree_path {
	uint64_t count[TREE_SIDES];
	size_t label; /* index of the first one in struct tree */
	uint32_t n;
	uint32_t node; /* after tree_grow(): where it ends, or where it is folded */
};

/* A frame of the picture: a function where it was called on one way from the root. */
struct tree_node {
	uint32_t parent, label; /* index of a node; as the caller gave it */
	uint32_t kids;		/* how many children */
	uint64_t all[TREE_SIDES];    /* of it and of all below */
	uint64_t self[TREE_SIDES];   /* of paths that end here */
	uint64_t others[TREE_SIDES]; /* of its children that are folded: they have no nodes */
};

struct tree {
	struct tree_path *path;
	size_t npath;
	uint32_t *label; /* of all paths */
	size_t nlabel;
	struct tree_node *node; /* the root, its children, theirs ...: parents come first */
	size_t n;
	uint64_t total[TREE_SIDES];
	size_t folded;	     /* frames, as far as they have been met: not all below them have */
	double largest;	     /* the largest share of one of them, in per cent */
	uint64_t folded_count[TREE_SIDES];
	size_t room_path, room_label, room_node;
};

/* A tree that is all 0 has no paths. Append a label to the path that tree_path() will add. */
void tree_label(struct tree *t, uint32_t label);

/* Add a path of the labels since the last one. */
void tree_path(struct tree *t, uint64_t a, uint64_t b);

/*
 * Make the nodes. Frames with less than `percent` of everything, on both sides, are folded; if
 * there are more than `most`, so are the smallest of them.
 */
void tree_grow(struct tree *t, double percent, size_t most);

/*
 * Return the nodes as the page reads them: {"kids": [...], "label": [...], "self": [...], "b":
 * [...]}, node by node, parents first; each one's children follow each other. "b" has the other
 * side's counts, if `sides` is 2. A node with the label -1 stands for what is folded there. With
 * `at`, which has room for all paths, at[path] becomes the number of the node where it ends.
 */
json_t *tree_json(const struct tree *t, unsigned sides, uint32_t *at);

void tree_free(struct tree *t);

#endif
