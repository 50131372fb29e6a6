/*
 * The call graph. Paths and measured calls are counted as they are. Arcs tell calls, not time: as
 * in gprof, a function's time goes to its callers in proportion to their calls, and functions that
 * call each other in a cycle are taken as one.
 */
#include <stdlib.h>
#include "tools/distinct.h"
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/profile/graph.h"

/* For qsort: by caller, then by callee. */
static int compare_edges(const void *va, const void *vb)
{
	const struct graph_edge *a = va, *b = vb;

	if (a->from != b->from)
		return order(a->from, b->from);
	return order(a->to, b->to);
}

/* By bisection: edges are sorted once they are all there. */
const struct graph_edge *graph_edge_of(const struct graph *g, uint32_t from, uint32_t to)
{
	struct graph_edge key = {.from = from, .to = to};

	return bsearch(&key, g->edge, g->nedge, sizeof(key), compare_edges);
}

/* Sort the edges by callee, too, and note where each function's edges are. */
static void index_edges(struct graph *g)
{
	struct graph_node *node;
	size_t i, at = 0;

	g->in = memory_zeroed(g->nedge, sizeof(*g->in));
	for (i = 0; i < g->nedge; i++) {
		g->node[g->edge[i].to].nin++;
		if (g->edge[i].from == GRAPH_NONE)
			continue;
		node = &g->node[g->edge[i].from];
		if (!node->nout++)
			node->out = i;
	}
	for (i = 0; i < g->n; i++) {
		g->node[i].in = at;
		at += g->node[i].nin;
		g->node[i].nin = 0;
	}
	for (i = 0; i < g->nedge; i++) {
		node = &g->node[g->edge[i].to];
		g->in[node->in + node->nin++] = i;
	}
}

/* The edges being found. */
struct finder {
	struct graph *g;
	size_t room;
	struct distinct known;
	uint32_t *stamp;   /* by edge: that of the last path that had it */
	uint32_t *on_path; /* the edges of a path */
	size_t room_stamp, room_path;
};

/* Return the index of the edge between two functions, which is new if it is not known. */
static uint32_t edge_of(struct finder *f, uint32_t from, uint32_t to)
{
	struct graph_edge edge = {.from = from, .to = to};
	struct graph *g = f->g;
	size_t i = distinct_index(&f->known, g->edge, &edge, g->nedge);

	if (i == g->nedge) {
		g->edge = memory_grow(g->edge, &f->room, g->nedge + 1, sizeof(*g->edge));
		g->edge[g->nedge++] = edge;
	}
	return i;
}

/*
 * Count the edges of one path, each once; stamps are not 0. The count is the callee's own if the
 * path ends with that edge.
 */
static void add_path(struct finder *f, const struct step *step, size_t n, uint64_t count,
		     uint32_t stamp)
{
	struct graph_edge *e;
	size_t i;

	f->on_path = memory_grow(f->on_path, &f->room_path, n, sizeof(*f->on_path));
	for (i = 1; i < n; i++)
		f->on_path[i] = edge_of(f, step[i - 1].function, step[i].function);
	f->stamp = memory_grow_zeroed(f->stamp, &f->room_stamp, f->g->nedge, sizeof(*f->stamp));
	for (i = 1; i < n; i++) {
		e = &f->g->edge[f->on_path[i]];
		if (f->stamp[f->on_path[i]] == stamp)
			continue;
		f->stamp[f->on_path[i]] = stamp;
		e->calls += count;
		if (f->on_path[i] == f->on_path[n - 1])
			e->self += count;
		else
			e->children += count;
	}
}

/* Take the edges from paths. */
static void from_paths(struct finder *finder, struct functions *f)
{
	const struct profdata_sample *s = f->prof->sample;
	const struct step *step;
	size_t i, n;

	for (i = 0; i < f->prof->nsample; i++) {
		step = functions_caused(f, &s[i], &n);
		if (s[i].mode == PROFDATA_INTERRUPT)
			finder->g->interrupt = step[0].function;
		add_path(finder, step, n, s[i].count, i + 1);
	}
}

/* Take the edges from measured calls. A caller without a symbol is nobody: GRAPH_NONE. */
static void from_calls(struct finder *finder, struct functions *f)
{
	struct calls_row *row;
	uint32_t from, edge;
	struct graph_edge *e;
	size_t i, n;

	row = calls_rows(f, true, &n);
	for (i = 0; i < n; i++) {
		from = row[i].caller;
		if (f->function[from].end == 0)
			from = GRAPH_NONE;
		edge = edge_of(finder, from, row[i].function);
		e = &finder->g->edge[edge];
		e->calls += row[i].times.count;
		e->self += (double)row[i].times.self;
		e->children += (double)(row[i].times.total - row[i].times.self);
	}
	free(row);
}

/* Take the edges from arcs, without time. */
static void from_arcs(struct finder *finder, struct functions *f)
{
	const struct profdata *p = f->prof;
	uint32_t from, to, edge;
	size_t i;

	for (i = 0; i < p->narc; i++) {
		const struct profdata_arc *a = &p->arc[i];

		to = functions_at(f, a->image, a->selfpc);
		from = functions_at(f, a->image, a->frompc);
		if (f->function[from].end == 0)
			from = GRAPH_NONE;
		edge = edge_of(finder, from, to);
		finder->g->edge[edge].calls += a->count;
	}
}

/* Find the edges, and sort them. */
static void find_edges(struct graph *g, struct functions *f)
{
	struct finder finder = {
		.g = g, .known = {.size = sizeof(*g->edge), .key = 2 * sizeof(uint32_t)},
	};

	if (g->measured)
		from_paths(&finder, f);
	else if (g->timed)
		from_calls(&finder, f);
	else
		from_arcs(&finder, f);
	if (g->nedge)
		qsort(g->edge, g->nedge, sizeof(*g->edge), compare_edges);
	distinct_free(&finder.known);
	free(finder.stamp);
	free(finder.on_path);
}

/* Tarjan's search for strongly connected groups, without recursion: graphs may be deep. */
struct search {
	struct graph *g;
	uint32_t *order, *low; /* by function: when it was entered; the earliest it leads to */
	uint32_t *stack;       /* functions that have no group yet */
	uint32_t *call;	       /* the path of the search */
	size_t *next;	       /* by function: the edge to be followed next */
	uint32_t norder, nstack, ncall;
	uint32_t *group, ngroup; /* by function, from 1; callees have smaller ones than callers */
	bool *open; /* by function: it is on the stack */
};

/* Enter a function for the first time. */
static void graph_enter(struct search *s, uint32_t v)
{
	s->order[v] = s->low[v] = ++s->norder;
	s->next[v] = s->g->node[v].out;
	s->stack[s->nstack++] = v;
	s->open[v] = true;
	s->call[s->ncall++] = v;
}

/*
 * Leave a function, all of whose edges have been followed. If none led to one entered earlier,
 * the stack from this function on is a group. Groups are found callees first, so that their numbers
 * are the order in which time can be passed on.
 */
static void graph_leave(struct search *s, uint32_t v)
{
	uint32_t w, parent;

	s->ncall--;
	if (s->ncall) {
		parent = s->call[s->ncall - 1];
		s->low[parent] = (uint32_t)order_min(s->low[v], s->low[parent]);
	}
	if (s->low[v] != s->order[v])
		return;
	s->ngroup++;
	do {
		w = s->stack[--s->nstack];
		s->open[w] = false;
		s->group[w] = s->ngroup;
	} while (w != v);
}

/* Follow all edges from v on. */
static void graph_search(struct search *s, uint32_t v)
{
	uint32_t to;

	for (graph_enter(s, v); s->ncall;) {
		v = s->call[s->ncall - 1];
		if (s->next[v] == s->g->node[v].out + s->g->node[v].nout) {
			graph_leave(s, v);
			continue;
		}
		to = s->g->edge[s->next[v]++].to;
		if (!s->order[to])
			graph_enter(s, to);
		else if (s->open[to] && s->order[to] < s->low[v])
			s->low[v] = s->order[to];
	}
}

/* Return the group of each function, which the caller frees. A group of several is a cycle. */
static uint32_t *find_groups(struct graph *g, uint32_t *ngroup)
{
	struct search s = {.g = g};
	uint32_t i, *size, cycle = 0, *name;

	s.order = memory_zeroed(g->n, sizeof(uint32_t));
	s.low = memory_zeroed(g->n, sizeof(uint32_t));
	s.stack = memory_zeroed(g->n, sizeof(uint32_t));
	s.call = memory_zeroed(g->n, sizeof(uint32_t));
	s.next = memory_zeroed(g->n, sizeof(size_t));
	s.group = memory_zeroed(g->n, sizeof(uint32_t));
	s.open = memory_zeroed(g->n, sizeof(bool));
	for (i = 0; i < g->n; i++)
		if (!s.order[i])
			graph_search(&s, i);
	size = memory_zeroed(s.ngroup + 1, sizeof(uint32_t));
	name = memory_zeroed(s.ngroup + 1, sizeof(uint32_t));
	for (i = 0; i < g->n; i++)
		size[s.group[i]]++;
	for (i = 0; i < g->n; i++) {
		if (size[s.group[i]] < 2)
			continue;
		if (!name[s.group[i]])
			name[s.group[i]] = ++cycle;
		g->node[i].cycle = name[s.group[i]];
	}
	free(size);
	free(name);
	free(s.order);
	free(s.low);
	free(s.stack);
	free(s.call);
	free(s.next);
	free(s.open);
	*ngroup = s.ngroup;
	return s.group;
}

/* A group as a whole. */
struct sum {
	double self, children, idle;
	uint64_t calls; /* from outside of it */
};

/* Give the time of a function, or of the cycle that it is in, to its callers. */
static void pass_up(struct graph *g, const uint32_t *group, struct sum *sum, uint32_t v)
{
	struct graph_node *node = &g->node[v];
	const struct sum *s = &sum[group[v]];
	struct graph_edge *e;
	double part;
	size_t i;

	for (i = 0; i < node->nin; i++) {
		e = &g->edge[g->in[node->in + i]];
		if (e->from != GRAPH_NONE && group[e->from] == group[v])
			continue;
		part = 0;
		if (s->calls)
			part = (double)e->calls / s->calls;
		e->self = s->self * part;
		e->children = s->children * part;
		if (e->from == GRAPH_NONE)
			continue;
		g->node[e->from].children += e->self + e->children;
		g->node[e->from].idle += s->idle * part;
		sum[group[e->from]].children += e->self + e->children;
		sum[group[e->from]].idle += s->idle * part;
	}
}

/* Return the functions by group, which is callees before callers, by counting; to be freed. */
static uint32_t *by_group(const uint32_t *group, uint32_t n, uint32_t ngroup)
{
	uint32_t *at = memory_zeroed(ngroup + 2, sizeof(*at)), *order, i;

	order = memory_zeroed(n, sizeof(*order));
	for (i = 0; i < n; i++)
		at[group[i] + 1]++;
	for (i = 1; i <= ngroup + 1; i++)
		at[i] += at[i - 1];
	for (i = 0; i < n; i++)
		order[at[group[i]]++] = i;
	free(at);
	return order;
}

/* Count the calls of each function, and those of each group from outside of it. */
static void count_calls(struct graph *g, const uint32_t *group, struct sum *sum)
{
	const struct graph_edge *e;
	size_t i;

	for (i = 0; i < g->nedge; i++) {
		e = &g->edge[i];
		if (e->from == e->to)
			g->node[e->to].recursive += e->calls;
		else
			g->node[e->to].calls += e->calls;
		if (e->from == GRAPH_NONE || group[e->from] != group[e->to])
			sum[group[e->to]].calls += e->calls;
	}
}

/* Share out the time by arcs, from the functions that call nobody upwards. */
static void graph_propagate(struct graph *g)
{
	uint32_t i, ngroup, *group = find_groups(g, &ngroup), *order;
	struct sum *sum = memory_zeroed(ngroup + 1, sizeof(*sum));

	order = by_group(group, g->n, ngroup);
	count_calls(g, group, sum);
	for (i = 0; i < g->n; i++) {
		sum[group[i]].self += g->node[i].self;
		sum[group[i]].idle += g->node[i].idle;
	}
	for (i = 0; i < g->n; i++)
		pass_up(g, group, sum, order[i]);
	free(order);
	free(group);
	free(sum);
}

/*
 * Add up what the edges have. A function that is not measured has only the time of those that it
 * called. Where functions call themselves in a circle, each call has the time of those within it.
 */
static void graph_add_up(struct graph *g)
{
	const struct graph_edge *e;

	for (e = g->edge; e < g->edge + g->nedge; e++) {
		if (e->from == e->to) {
			g->node[e->to].recursive += e->calls;
			continue;
		}
		g->node[e->to].calls += e->calls;
		if (e->from != GRAPH_NONE)
			g->node[e->from].children += e->self + e->children;
	}
}

/* Give interrupts what their handlers ran, which is no part of any function that called them. */
static void graph_interrupts(struct graph *g)
{
	const struct graph_edge *e;

	for (e = g->edge; e < g->edge + g->nedge; e++)
		if (e->from == g->interrupt && e->from != GRAPH_NONE)
			g->node[e->from].children += e->self + e->children;
}

void graph_make(struct graph *g, struct functions *f)
{
	uint32_t i;

	*g = (struct graph){.timed = f->prof->timed.n > 0, .interrupt = GRAPH_NONE};
	g->measured = f->prof->has_paths;
	if (!f->prof->narc && !g->timed)
		g->measured = true;
	functions_count(f);
	find_edges(g, f);
	g->n = f->n;
	g->node = memory_zeroed(g->n, sizeof(*g->node));
	for (i = 0; i < g->n; i++) {
		g->node[i].self = f->function[i].self;
		g->node[i].idle = f->function[i].idle;
		if (g->measured)
			g->node[i].children = f->function[i].all - f->function[i].self;
	}
	index_edges(g);
	if (g->measured)
		graph_interrupts(g);
	if (g->timed)
		graph_add_up(g);
	else if (!g->measured)
		graph_propagate(g);
}

void graph_free(struct graph *g)
{
	free(g->node);
	free(g->edge);
	free(g->in);
}
