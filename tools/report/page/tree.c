/* The tree that the page draws: see tree.h. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "tools/distinct.h"
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/report/page/page.h"

#define ROOT 0
#define FOLDED ((uint32_t)1 << 31) /* in a path's node: it ends in what is folded there */
#define WIDE 32 /* times as many frames as are wanted: while it grows there are no more for long */

/* A frame of the next level, before it is known whether it stays. */
struct sprout {
	uint32_t parent, label; /* the key */
	uint64_t count[TREE_SIDES];
	uint32_t node; /* its number as a node; or the parent's, with FOLDED */
};

/* What is at work on one level. */
struct growth {
	struct tree *t;
	double percent;
	uint32_t *alive; /* the paths that go on */
	size_t nalive;
	struct sprout *sprout;
	size_t nsprout, room;
	struct distinct known;
};

void tree_label(struct tree *t, uint32_t label)
{
	t->label = memory_grow(t->label, &t->room_label, t->nlabel + 1, sizeof(*t->label));
	t->label[t->nlabel++] = label;
}

void tree_path(struct tree *t, uint64_t a, uint64_t b)
{
	const struct tree_path *last;
	size_t begin = 0;

	if (t->npath > 0) {
		last = &t->path[t->npath - 1];
		begin = last->label + last->n;
	}
	t->path = memory_grow(t->path, &t->room_path, t->npath + 1, sizeof(*t->path));
	t->path[t->npath++] = (struct tree_path){
		.count = {a, b}, .label = begin, .n = (uint32_t)(t->nlabel - begin),
	};
	t->total[0] += a;
	t->total[1] += b;
}

/* Return a count as a share of a total, in per cent. */
static double percent_of(uint64_t count, uint64_t total)
{
	if (!total)
		return 0;
	return 100.0 * (double)count / (double)total;
}

/* Return counts as a share of everything, in per cent: the larger one of the two sides. */
static double tree_share(const struct tree *t, const uint64_t count[TREE_SIDES])
{
	double a = percent_of(count[0], t->total[0]), b = percent_of(count[1], t->total[1]);

	if (a > b)
		return a;
	return b;
}

/* Add the counts of both sides. */
static void add_counts(uint64_t to[TREE_SIDES], const uint64_t from[TREE_SIDES])
{
	to[0] += from[0];
	to[1] += from[1];
}

/* Note that a frame is folded. */
static void note_folded(struct tree *t, const uint64_t count[TREE_SIDES])
{
	double percent = tree_share(t, count);

	t->folded++;
	if (percent > t->largest)
		t->largest = percent;
}

/* Append a node. Return its number. */
static uint32_t append_node(struct tree *t, uint32_t parent, uint32_t label,
			    const uint64_t count[TREE_SIDES])
{
	t->node = memory_grow(t->node, &t->room_node, t->n + 1, sizeof(*t->node));
	t->node[t->n] = (struct tree_node){.parent = parent, .label = label};
	add_counts(t->node[t->n].all, count);
	return (uint32_t)t->n++;
}

/* For qsort_r: by parent, then the largest share first, then by label. */
static int compare_sprouts(const void *va, const void *vb, void *arg)
{
	const struct sprout *a = va, *b = vb;
	double x = tree_share(arg, a->count), y = tree_share(arg, b->count);

	if (a->parent != b->parent)
		return order(a->parent, b->parent);
	if (x != y)
		return order_real(y, x);
	return order(a->label, b->label);
}

/* Count the paths that go on in the next level's frames; the others end where they are. */
static void count_sprouts(struct growth *g, uint32_t depth)
{
	struct tree *t = g->t;
	size_t i, n = 0;

	for (i = 0; i < g->nalive; i++) {
		struct tree_path *p = &t->path[g->alive[i]];
		struct sprout new = {.parent = p->node};
		size_t at;

		if (p->n == depth) {
			add_counts(t->node[p->node].self, p->count);
			continue;
		}
		new.label = t->label[p->label + depth];
		at = distinct_index(&g->known, g->sprout, &new, g->nsprout);
		if (at == g->nsprout) {
			g->sprout = memory_grow(g->sprout, &g->room, at + 1, sizeof(new));
			g->sprout[g->nsprout++] = new;
		}
		add_counts(g->sprout[at].count, p->count);
		p->node = (uint32_t)at;
		g->alive[n++] = g->alive[i];
	}
	g->nalive = n;
}

/* Fold the frames that are too small. Return the others as a copy, *n of them. */
static struct sprout *fold_sprouts(struct growth *g, size_t *n)
{
	struct sprout *kept = memory_zeroed(g->nsprout, sizeof(*kept));
	size_t i;

	*n = 0;
	for (i = 0; i < g->nsprout; i++) {
		struct sprout *s = &g->sprout[i];

		s->node = s->parent | FOLDED;
		if (tree_share(g->t, s->count) < g->percent) {
			add_counts(g->t->node[s->parent].others, s->count);
			note_folded(g->t, s->count);
			continue;
		}
		kept[*n] = *s;
		kept[(*n)++].node = (uint32_t)i;
	}
	return kept;
}

/* Make the next level's frames nodes, and lead the paths there. */
static void grow_level(struct growth *g)
{
	struct tree *t = g->t;
	size_t i, n, alive = 0;
	struct sprout *kept = fold_sprouts(g, &n);

	qsort_r(kept, n, sizeof(*kept), compare_sprouts, t);
	for (i = 0; i < n; i++) {
		g->sprout[kept[i].node].node = append_node(t, kept[i].parent, kept[i].label,
							   kept[i].count);
		t->node[kept[i].parent].kids++;
	}
	for (i = 0; i < g->nalive; i++) {
		struct tree_path *p = &t->path[g->alive[i]];

		p->node = g->sprout[p->node].node;
		if (!(p->node & FOLDED))
			g->alive[alive++] = g->alive[i];
	}
	g->nalive = alive;
	free(kept);
}

/* For qsort_r: the largest share first, and parents before children. */
static int compare_nodes(const void *va, const void *vb, void *arg)
{
	const struct tree *t = arg;
	uint32_t a = *(const uint32_t *)va, b = *(const uint32_t *)vb;
	double x = tree_share(t, t->node[a].all), y = tree_share(t, t->node[b].all);

	if (x != y)
		return order_real(y, x);
	return order(a, b);
}

/*
 * Tell which nodes are the largest: to[node] is 0 for them. A child is no larger than its parent
 * and comes later, so the parents of those that stay do so, too.
 */
static uint32_t *rank_nodes(const struct tree *t, size_t most)
{
	uint32_t *ranked = memory_zeroed(t->n, sizeof(*ranked)), *to;
	size_t i;

	for (i = 0; i < t->n; i++)
		ranked[i] = (uint32_t)i;
	qsort_r(ranked, t->n, sizeof(*ranked), compare_nodes, (void *)t);
	to = memory_zeroed(t->n, sizeof(*to));
	for (i = most; i < t->n; i++)
		to[ranked[i]] = FOLDED;
	free(ranked);
	return to;
}

/* Fold all but the largest nodes. */
static void fold_smallest(struct tree *t, size_t most)
{
	uint32_t *to = rank_nodes(t, most), i, n = 0, parent;

	for (i = 0; i < t->n; i++) {
		const struct tree_node node = t->node[i];

		parent = to[node.parent];
		if (i > ROOT && (to[i] & FOLDED)) {
			to[i] = parent | FOLDED;
			note_folded(t, node.all);
			if (!(parent & FOLDED)) {
				t->node[parent].kids--;
				add_counts(t->node[parent].others, node.all);
			}
			continue;
		}
		to[i] = n;
		t->node[n] = node;
		t->node[n++].parent = parent;
	}
	t->n = n;
	for (i = 0; i < t->npath; i++)
		t->path[i].node = to[t->path[i].node & ~FOLDED] | (t->path[i].node & FOLDED);
	free(to);
}

/* Fold the smallest frames while the tree grows: paths that go on in them end there. */
static void thin_out(struct growth *g, size_t most)
{
	size_t i, alive = 0;

	fold_smallest(g->t, most);
	for (i = 0; i < g->nalive; i++)
		if (!(g->t->path[g->alive[i]].node & FOLDED))
			g->alive[alive++] = g->alive[i];
	g->nalive = alive;
}

/*
 * Level by level: all frames of one are known before the next begins, so those that are too small
 * are dropped before they have children. That takes time in proportion to the paths' lengths, and
 * memory to their number.
 */
void tree_grow(struct tree *t, double percent, size_t most)
{
	struct growth g = {.t = t, .percent = percent};
	uint32_t depth, i;

	append_node(t, ROOT, TREE_OTHERS, t->total);
	g.alive = memory_zeroed(t->npath, sizeof(*g.alive));
	for (i = 0; i < t->npath; i++)
		g.alive[i] = i;
	g.nalive = t->npath;
	for (depth = 0; g.nalive; depth++) {
		g.nsprout = 0;
		g.known = (struct distinct){
			.size = sizeof(*g.sprout), .key = 2 * sizeof(uint32_t),
		};
		count_sprouts(&g, depth);
		grow_level(&g);
		distinct_free(&g.known);
		if (t->n / WIDE > most)
			thin_out(&g, WIDE / 2 * most);
	}
	free(g.alive);
	free(g.sprout);
	if (t->n > most)
		fold_smallest(t, most);
	for (i = 0; i < t->n; i++)
		add_counts(t->folded_count, t->node[i].others);
}

/* The arrays that tree_json() fills. */
struct arrays {
	json_t *kids, *label, *count[TREE_SIDES];
	uint32_t n;
};

/* Append a node. Return its number. */
static uint32_t put_numbers(struct arrays *a, uint32_t kids, uint32_t label,
			    const uint64_t self[TREE_SIDES])
{
	json_int_t shown = label;

	if (label == TREE_OTHERS)
		shown = -1;
	json_array_append_new(a->kids, json_integer(kids));
	json_array_append_new(a->label, json_integer(shown));
	json_array_append_new(a->count[0], page_count(self[0]));
	if (a->count[1])
		json_array_append_new(a->count[1], page_count(self[1]));
	return a->n++;
}

/* Return whether some children of a node are folded. */
static bool has_others(const struct tree_node *node)
{
	return node->others[0] || node->others[1];
}

/* Append a node that is no child of what is folded. */
static uint32_t put_node(struct arrays *a, const struct tree_node *node)
{
	return put_numbers(a, node->kids + has_others(node), node->label, node->self);
}

/* Tell the number of the node where each path ends, or of the one where it is folded. */
static void number_paths(const struct tree *t, const uint32_t *number, const uint32_t *others,
			 uint32_t *at)
{
	uint32_t node;
	size_t i;

	for (i = 0; i < t->npath; i++) {
		node = t->path[i].node;
		if (node & FOLDED)
			at[i] = others[node & ~FOLDED];
		else
			at[i] = number[node];
	}
}

json_t *tree_json(const struct tree *t, unsigned sides, uint32_t *at)
{
	struct arrays a = {.kids = json_array(), .label = json_array(), .count = {json_array()}};
	uint32_t *number = memory_zeroed(t->n, sizeof(*number)), i, child = ROOT + 1;
	uint32_t *others = memory_zeroed(t->n, sizeof(*others)), k;
	json_t *out;

	if (sides > 1)
		a.count[1] = json_array();
	put_node(&a, &t->node[ROOT]);
	for (i = 0; i < t->n; i++) {
		for (k = 0; k < t->node[i].kids; k++, child++)
			number[child] = put_node(&a, &t->node[child]);
		if (has_others(&t->node[i]))
			others[i] = put_numbers(&a, 0, TREE_OTHERS, t->node[i].others);
	}
	if (at)
		number_paths(t, number, others, at);
	free(number);
	free(others);
	out = json_object();
	json_object_set_new(out, "kids", a.kids);
	json_object_set_new(out, "label", a.label);
	json_object_set_new(out, "self", a.count[0]);
	if (a.count[1])
		json_object_set_new(out, "b", a.count[1]);
	return out;
}

void tree_free(struct tree *t)
{
	free(t->path);
	free(t->label);
	free(t->node);
}
