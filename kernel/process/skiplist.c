/* Skip lists: W. Pugh, Skip Lists: A Probabilistic Alternative to Balanced Trees, 1990. */
#include "kernel/process/skiplist.h"
#include <stddef.h>

/* Return in how many levels a node is: one, with a chance of 1 in 4 one more, and so on. */
static inline unsigned skip_levels(const struct skipnode *n)
{
	uint32_t hash = (uint32_t)n->key * 2654435769u; /* 2^32 / the golden ratio: Knuth, 6.4 */

	return 1 + (unsigned)__builtin_ctz(hash >> 16 | 1u << 2 * (SKIP_LEVELS - 1)) / 2;
}

/* Find the last node of each level in use whose key is less; return the first whose is not. */
static inline struct skipnode *skip_seek(struct skiplist *l, uint64_t key, struct skipnode **at)
{
	struct skipnode *n = &l->head, *next = NULL;

	for (unsigned i = l->height; i-- > 0; at[i] = n)
		while ((next = n->next[i]) != NULL && next->key < key)
			n = next;
	return next;
}

/* Return whether n is the last node whose key is less. */
static inline bool skip_is_before(const struct skipnode *n, uint64_t key)
{
	const struct skipnode *next = n->next[0];

	if (n->key >= key)
		return false;
	return !next || next->key >= key;
}

struct skipnode *skip_from(struct skiplist *l, uint64_t key)
{
	struct skipnode *at[SKIP_LEVELS], *n = l->near;

	if (n && skip_is_before(n, key))
		n = n->next[0];
	else if (!n || n->key != key)
		n = skip_seek(l, key, at);
	return l->near = n;
}

bool skip_add(struct skiplist *l, struct skipnode *n)
{
	struct skipnode *at[SKIP_LEVELS], *next = skip_seek(l, n->key, at);
	unsigned top = skip_levels(n);

	if (next && next->key == n->key)
		return false;
	while (l->height < top)
		at[l->height++] = &l->head;
	for (unsigned i = 0; i < top; i++) {
		n->next[i] = at[i]->next[i];
		at[i]->next[i] = n;
	}
	n->before = at[0];
	if (next)
		next->before = n;
	l->near = n;
	return true;
}

void skip_remove(struct skiplist *l, struct skipnode *n)
{
	struct skipnode *at[SKIP_LEVELS];
	unsigned top = skip_levels(n);

	if (top == 1) /* three of four */
		at[0] = n->before;
	else
		skip_seek(l, n->key, at);
	for (unsigned i = 0; i < top; i++)
		at[i]->next[i] = n->next[i];
	if (n->next[0])
		n->next[0]->before = n->before;
	if (l->near == n)
		l->near = NULL;
}
