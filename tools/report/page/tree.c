/* The tree that the page draws: see tree.h. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "tools/distinct.h"
#include "tools/memory.h"
#include "tools/report/page/tree.h"

#define ROOT 0
#define FOLDED ((uint32_t)1 << 31) /* in a path's node: it ends in what is folded there */

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
	const struct tree_path *last = t->npath ? &t->path[t->npath - 1] : NULL;
	size_t begin = last ? last->label + last->n : 0;

	t->path = memory_grow(t->path, &t->room_path, t->npath + 1, sizeof(*t->path));
	t->path[t->npath++] = (struct tree_path){
		.count = {a, b}, .label = begin, .n = (uint32_t)(t->nlabel - begin),
	};
	t->total[0] += a;
	t->total[1] += b;
}

/* Return counts as a share of everything, in per cent: the larger one of the two sides. */
static double share(const struct tree *t, const uint64_t count[TREE_SIDES])
{
	double a = t->total[0] ? 100.0 * (double)count[0] / (double)t->total[0] : 0;
	double b = t->total[1] ? 100.0 * (double)count[1] / (double)t->total[1] : 0;

	return a > b ? a : b;
}

/* Add the counts of both sides. */
static void add(uint64_t to[TREE_SIDES], const uint64_t from[TREE_SIDES])
{
	to[0] += from[0];
	to[1] += from[1];
}

/* Note that a frame is folded. */
static void note_folded(struct tree *t, const uint64_t count[TREE_SIDES])
{
	double percent = share(t, count);

	t->folded++;
	t->largest = percent > t->largest ? percent : t->largest;
}

/* Append a node. Return its number. */
static uint32_t append(struct tree *t, uint32_t parent, uint32_t label,
		       const uint64_t count[TREE_SIDES])
{
	t->node = memory_grow(t->node, &t->room_node, t->n + 1, sizeof(*t->node));
	t->node[t->n] = (struct tree_node){.parent = parent, .label = label};
	add(t->node[t->n].all, count);
	return (uint32_t)t->n++;
}

/* For qsort_r: by parent, then the largest share first, then by label. */
static int compare(const void *va, const void *vb, void *arg)
{
	const struct sprout *a = va, *b = vb;
	double x = share(arg, a->count), y = share(arg, b->count);

	if (a->parent != b->parent)
		return a->parent < b->parent ? -1 : 1;
	if (x != y)
		return x > y ? -1 : 1;
	return a->label < b->label ? -1 : a->label > b->label;
}

/* Count the paths that go on in the next level's frames; the others end where they are. */
static void sprout(struct growth *g, uint32_t depth)
{
	struct tree *t = g->t;
	size_t i, n = 0;

	for (i = 0; i < g->nalive; i++) {
		struct tree_path *p = &t->path[g->alive[i]];
		struct sprout new = {.parent = p->node};
		size_t at;

		if (p->n == depth) {
			add(t->node[p->node].self, p->count);
			continue;
		}
		new.label = t->label[p->label + depth];
		at = distinct_index(&g->known, g->sprout, &new, g->nsprout);
		if (at == g->nsprout) {
			g->sprout = memory_grow(g->sprout, &g->room, at + 1, sizeof(new));
			g->sprout[g->nsprout++] = new;
		}
		add(g->sprout[at].count, p->count);
		p->node = (uint32_t)at;
		g->alive[n++] = g->alive[i];
	}
	g->nalive = n;
}

/* Fold the frames that are too small. Return the others as a copy, *n of them. */
static struct sprout *thin(struct growth *g, size_t *n)
{
	struct sprout *kept = memory_zeroed(g->nsprout, sizeof(*kept));
	size_t i;

	*n = 0;
	for (i = 0; i < g->nsprout; i++) {
		struct sprout *s = &g->sprout[i];

		s->node = s->parent | FOLDED;
		if (share(g->t, s->count) < g->percent) {
			add(g->t->node[s->parent].others, s->count);
			note_folded(g->t, s->count);
			continue;
		}
		kept[*n] = *s;
		kept[(*n)++].node = (uint32_t)i;
	}
	return kept;
}

/* Make the next level's frames nodes, and lead the paths there. */
static void level(struct growth *g)
{
	struct tree *t = g->t;
	size_t i, n, alive = 0;
	struct sprout *kept = thin(g, &n);

	qsort_r(kept, n, sizeof(*kept), compare, t);
	for (i = 0; i < n; i++) {
		g->sprout[kept[i].node].node = append(t, kept[i].parent, kept[i].label,
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
	double x = share(t, t->node[a].all), y = share(t, t->node[b].all);

	return x != y ? (x > y ? -1 : 1) : a < b ? -1 : a > b;
}

/*
 * Tell which nodes are the largest: to[node] is 0 for them. A child is no larger than its parent
 * and comes later, so the parents of those that stay do so, too.
 */
static uint32_t *rank(const struct tree *t, size_t most)
{
	uint32_t *order = memory_zeroed(t->n, sizeof(*order)), *to;
	size_t i;

	for (i = 0; i < t->n; i++)
		order[i] = (uint32_t)i;
	qsort_r(order, t->n, sizeof(*order), compare_nodes, (void *)t);
	to = memory_zeroed(t->n, sizeof(*to));
	for (i = most; i < t->n; i++)
		to[order[i]] = FOLDED;
	free(order);
	return to;
}

/* Fold all but the largest nodes. */
static void cut(struct tree *t, size_t most)
{
	uint32_t *to = rank(t, most), i, n = 0, parent;

	for (i = 0; i < t->n; i++) {
		const struct tree_node node = t->node[i];

		parent = to[node.parent];
		if (i > ROOT && (to[i] & FOLDED)) {
			to[i] = parent | FOLDED;
			note_folded(t, node.all);
			if (!(parent & FOLDED)) {
				t->node[parent].kids--;
				add(t->node[parent].others, node.all);
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

/*
 * Level by level: all frames of one are known before the next begins, so those that are too small
 * are dropped before they have children. That takes time in proportion to the paths' lengths, and
 * memory to their number.
 */
void tree_grow(struct tree *t, double percent, size_t most)
{
	struct growth g = {.t = t, .percent = percent};
	uint32_t depth, i;

	append(t, ROOT, TREE_OTHERS, t->total);
	g.alive = memory_zeroed(t->npath, sizeof(*g.alive));
	for (i = 0; i < t->npath; i++)
		g.alive[i] = i;
	g.nalive = t->npath;
	for (depth = 0; g.nalive; depth++) {
		g.nsprout = 0;
		g.known = (struct distinct){
			.size = sizeof(*g.sprout), .key = 2 * sizeof(uint32_t),
		};
		sprout(&g, depth);
		level(&g);
		distinct_free(&g.known);
	}
	free(g.alive);
	free(g.sprout);
	if (t->n > most)
		cut(t, most);
	for (i = 0; i < t->n; i++)
		add(t->folded_count, t->node[i].others);
}

/* The arrays that tree_json() fills. */
struct arrays {
	json_t *kids, *label, *count[TREE_SIDES];
	uint32_t n;
};

/* Append a node. Return its number. */
static uint32_t put(struct arrays *a, uint32_t kids, uint32_t label,
		    const uint64_t self[TREE_SIDES])
{
	json_array_append_new(a->kids, json_integer(kids));
	json_array_append_new(a->label, json_integer(
		label == TREE_OTHERS ? -1 : (json_int_t)label));
	json_array_append_new(a->count[0], json_integer((json_int_t)self[0]));
	if (a->count[1])
		json_array_append_new(a->count[1], json_integer((json_int_t)self[1]));
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
	return put(a, node->kids + has_others(node), node->label, node->self);
}

json_t *tree_json(const struct tree *t, unsigned sides, uint32_t *at)
{
	struct arrays a = {.kids = json_array(), .label = json_array(), .count = {json_array()}};
	uint32_t *number = memory_zeroed(t->n, sizeof(*number)), i, child = ROOT + 1;
	uint32_t *others = memory_zeroed(t->n, sizeof(*others)), k;
	json_t *out;

	a.count[1] = sides > 1 ? json_array() : NULL;
	put_node(&a, &t->node[ROOT]);
	for (i = 0; i < t->n; i++) {
		for (k = 0; k < t->node[i].kids; k++, child++)
			number[child] = put_node(&a, &t->node[child]);
		if (has_others(&t->node[i]))
			others[i] = put(&a, 0, TREE_OTHERS, t->node[i].others);
	}
	for (i = 0; at && i < t->npath; i++)
		at[i] = (t->path[i].node & FOLDED) ? others[t->path[i].node & ~FOLDED] :
						     number[t->path[i].node];
	free(number);
	free(others);
	out = json_pack("{s:o, s:o, s:o}", "kids", a.kids, "label", a.label, "self", a.count[0]);
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
