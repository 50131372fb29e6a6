/*
 * The deepest path through a graph of calls: see graph.h.
 *
 * Without recursion each function has one answer. A function that may be recursive is counted in
 * the state as often as it is active, up to its bound, and each function has an answer for each
 * state. Any other circle is an objection.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/depth/graph.h"
#include "tools/memory.h"

const struct depth_node *depth_calls(const struct graph *g, const struct depth_entry *e,
				     size_t fn)
{
	for (size_t i = 0; i < e->nown; i++)
		if (e->of[i] == fn)
			return &e->own[i];
	return &g->node[fn];
}

uint64_t depth_entered(const struct graph *g, size_t fn, uint64_t state)
{
	if (g->node[fn].bound == 0)
		return state;
	return state + ((uint64_t)1 << g->node[fn].bit);
}

/* Return whether a function may be called in a state. */
static bool may_enter(const struct graph *g, size_t fn, uint64_t state)
{
	const struct depth_node *n = &g->node[fn];

	if (n->ends)
		return false;
	return !n->bound || (state >> n->bit & 15) < n->bound;
}

/* Return the answer for a state, or NULL. */
static struct depth_answer *answered(const struct depth_entry *e, size_t fn, uint64_t state)
{
	const struct depth_answers *all = &e->answers[fn];

	for (size_t i = 0; i < all->n; i++)
		if (all->answer[i].state == state)
			return &all->answer[i];
	return NULL;
}

/* Return whether a call leads to a function that is on the path already, in the same state. */
static bool closes_circle(const struct graph *g, const struct depth_entry *e,
			  const struct depth_edge *edge, uint64_t state)
{
	const struct depth_node *to = &g->node[edge->to];
	const struct depth_answer *a;

	if (edge->entry || to->bound || to->ends)
		return false;
	a = answered(e, edge->to, state);
	return a && a->busy;
}

/* Append the way from one function to another among those on the path; false: there is none. */
static bool way_back(const struct graph *g, const struct depth_entry *e, size_t from, size_t to,
		     uint64_t state, bool *seen, char *text, size_t room)
{
	const struct depth_node *n = depth_calls(g, e, from);
	size_t have = strlen(text);

	snprintf(text + have, room - have, "%s > ", g->code->fn[from].name);
	seen[from] = true;
	for (size_t i = 0; i < n->n; i++) {
		size_t next = n->edge[i].to;

		if (!closes_circle(g, e, &n->edge[i], state) || (seen[next] && next != to))
			continue;
		if (next == to || way_back(g, e, next, to, state, seen, text, room))
			return true;
	}
	text[have] = 0;
	return false;
}

/* Object to a circle of calls, of which each begins with another function. */
static void object(struct graph *g, const struct depth_entry *e, size_t fn, uint64_t state)
{
	const char *name = g->code->fn[fn].name;
	bool *seen;
	char text[600] = "";

	if (g->node[fn].told)
		return;
	g->node[fn].told = true;
	seen = memory_zeroed(g->code->n, sizeof(*seen));
	way_back(g, e, fn, fn, state, seen, text, sizeof(text));
	depth_object(g, "recursion: %s%s: break the circle, or add \"recursion %s N REASON\" to %s",
		     text, name, name, g->rules->path);
	free(seen);
}

/* Return how deep the stack is if a function makes one of its calls. */
static int depth_of(struct graph *g, struct depth_entry *e, const struct depth_edge *edge,
		    uint64_t inside)
{
	if (edge->entry)
		return edge->at + g->entry[edge->to].depth;
	if (!may_enter(g, edge->to, inside))
		return 0;
	if (closes_circle(g, e, edge, inside)) {
		object(g, e, edge->to, inside);
		return 0;
	}
	return edge->at + depth_deepest(g, e, edge->to, inside)->depth;
}

const struct depth_answer *depth_deepest(struct graph *g, struct depth_entry *e,
						size_t fn, uint64_t state)
{
	struct depth_answers *all = &e->answers[fn];
	const struct depth_node *n = depth_calls(g, e, fn);
	struct depth_answer best = {.state = state, .busy = true, .depth = g->code->fn[fn].own};
	const struct depth_answer *known = answered(e, fn, state);
	uint64_t inside = depth_entered(g, fn, state);
	size_t at = all->n;

	if (known)
		return known;
	all->answer = memory_grow(all->answer, &all->room, all->n + 1, sizeof(*all->answer));
	all->answer[all->n++] = best;
	for (size_t i = 0; i < n->n; i++) {
		int depth = depth_of(g, e, &n->edge[i], inside);

		if (depth > best.depth) {
			best.depth = depth;
			best.next = &n->edge[i];
		}
	}
	best.busy = false;
	all->answer[at] = best;
	return &all->answer[at];
}
