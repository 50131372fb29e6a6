/* The tree of call paths: see tree.h. */
#include <stdlib.h>
#include "tools/memory.h"
#include "tools/record/plugin/tree.h"

/* Add a path. */
static uint32_t tree_add(struct tree *t, const struct tree_node *node)
{
	t->node = memory_grow(t->node, &t->room, t->n + 1, sizeof(*t->node));
	t->node[t->n] = *node;
	return (uint32_t)t->n++;
}

void tree_init(struct tree *t, uint32_t roots)
{
	uint32_t i;

	*t = (struct tree){.most = TREE_MOST};
	for (i = 0; i < roots; i++)
		tree_add(t, &(struct tree_node){.parent = i});
}

void tree_free(struct tree *t)
{
	free(t->node);
	table_free(&t->numbers);
}

/* Return whether a path is that of a call. */
static bool tree_is(const struct tree_node *node, uint32_t parent, uint64_t ret, uint64_t entry)
{
	if (node->parent != parent)
		return false;
	if (node->ret != ret)
		return false;
	return node->entry == entry;
}

/* Find the path of a call, or add it, where that was not looked up recently. */
static uint32_t tree_find(struct tree *t, uint32_t parent, uint64_t ret, uint64_t entry)
{
	const struct tree_node node = {.parent = parent, .ret = ret, .entry = entry};
	uint64_t *number;

	if (t->n >= t->most && !table_has(&t->numbers, parent, ret, entry)) {
		t->cut = true;
		return parent;
	}
	number = table_at(&t->numbers, parent, ret, entry);
	if (!*number)
		*number = tree_add(t, &node);
	return (uint32_t)*number;
}

/* The number 0 is a root's, which is nobody's child: so it can stand for none in both tables. */
uint32_t tree_child(struct tree *t, uint32_t parent, uint64_t ret, uint64_t entry)
{
	uint32_t *recent = &t->recent[(parent * 31 + ret + (entry >> 2)) % TREE_RECENT];

	if (!*recent || !tree_is(&t->node[*recent], parent, ret, entry))
		*recent = tree_find(t, parent, ret, entry);
	return *recent;
}

bool tree_is_call(const struct tree *t, uint32_t path)
{
	return t->node[path].parent != path && t->node[path].ret;
}
