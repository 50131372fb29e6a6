/*
 * The call graph. Paths are counted as they are. Arcs tell calls, not time: as in gprof, a
 * function's time goes to its callers in proportion to their calls, and functions that call
 * each other in a cycle are taken as one.
 */
#include <stdlib.h>
#include "tools/profile/graph.h"
#include "tools/memory.h"
#include "tools/sorted.h"

/* For qsort: by caller, then by callee. */
static int compare_edges(const void *va, const void *vb)
{
	const struct graph_edge *a = va, *b = vb;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return a->to < b->to ? -1 : a->to > b->to;
}

/* Add an edge to another between the same two functions. */
static void add_edge(void *vto, const void *vfrom)
{
	const struct graph_edge *from = vfrom;
	struct graph_edge *to = vto;

	to->calls += from->calls;
	to->self += from->self;
	to->children += from->children;
}

/* Sort the edges, and make one of those between the same two functions. */
static void merge(struct graph *g)
{
	g->nedge = sorted_sum(g->edge, g->nedge, sizeof(*g->edge), compare_edges, add_edge);
}

/* Find an edge, which must be there. */
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

/* Append an edge. */
static void add(struct graph *g, size_t *room, const struct graph_edge *edge)
{
	g->edge = memory_grow(g->edge, room, g->nedge + 1, sizeof(*g->edge));
	g->edge[g->nedge++] = *edge;
}

/* Whether the edge that ends in step i is on the path before that already. */
static bool seen(const struct step *step, size_t i)
{
	size_t j;

	for (j = 1; j < i; j++)
		if (step[j - 1].function == step[i - 1].function &&
		    step[j].function == step[i].function)
			return true;
	return false;
}

/* Add the edges of one path, each once. The count is the callee's own if the path ends there. */
static void add_path(struct graph *g, size_t *room, const struct step *step, size_t n,
		     uint64_t count)
{
	struct graph_edge edge;
	size_t i, j;
	bool own;

	for (i = 1; i < n; i++) {
		if (seen(step, i))
			continue;
		own = i + 1 == n;
		for (j = i + 1; j < n; j++)
			own |= j + 1 == n && step[j].function == step[i].function &&
			       step[j - 1].function == step[i - 1].function;
		edge = (struct graph_edge){
			.from = step[i - 1].function, .to = step[i].function, .calls = count,
			.self = own ? count : 0, .children = own ? 0 : count,
		};
		add(g, room, &edge);
	}
}

/* Add equal edges up when there are many: most have been met before. */
static void thin(struct graph *g, size_t *limit)
{
	if (g->nedge < *limit)
		return;
	merge(g);
	*limit = g->nedge * 2 > 1 << 20 ? g->nedge * 2 : 1 << 20;
}

/* Take the edges from paths. */
static void from_paths(struct graph *g, struct functions *f)
{
	size_t i, n, room = 0, limit = 1 << 20;
	const struct step *step;

	for (i = 0; i < f->prof->nsample; i++) {
		step = functions_path(f, &f->prof->sample[i], &n);
		add_path(g, &room, step, n, f->prof->sample[i].count);
		thin(g, &limit);
	}
	merge(g);
}

/* Take the edges from arcs, without time. */
static void from_arcs(struct graph *g, struct functions *f)
{
	const struct profdata *p = f->prof;
	struct graph_edge edge;
	size_t i, room = 0;

	for (i = 0; i < p->narc; i++) {
		const struct profdata_arc *a = &p->arc[i];

		edge = (struct graph_edge){.calls = a->count};
		edge.to = functions_at(f, a->image, a->selfpc);
		edge.from = functions_at(f, a->image, a->frompc);
		if (f->function[edge.from].end == 0)
			edge.from = GRAPH_NONE;
		add(g, &room, &edge);
	}
	merge(g);
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
static void enter(struct search *s, uint32_t v)
{
	s->order[v] = s->low[v] = ++s->norder;
	s->next[v] = s->g->node[v].out;
	s->stack[s->nstack++] = v;
	s->open[v] = true;
	s->call[s->ncall++] = v;
}

/*
 * Leave a function, all of whose edges have been followed. If none led to one entered earlier,
 * the stack from this function on is a group.
 */
static void leave(struct search *s, uint32_t v)
{
	uint32_t w, parent;

	s->ncall--;
	if (s->ncall) {
		parent = s->call[s->ncall - 1];
		s->low[parent] = s->low[v] < s->low[parent] ? s->low[v] : s->low[parent];
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
static void search(struct search *s, uint32_t v)
{
	uint32_t to;

	for (enter(s, v); s->ncall;) {
		v = s->call[s->ncall - 1];
		if (s->next[v] == s->g->node[v].out + s->g->node[v].nout) {
			leave(s, v);
			continue;
		}
		to = s->g->edge[s->next[v]++].to;
		if (!s->order[to])
			enter(s, to);
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
			search(&s, i);
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
	double self, children;
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
		part = s->calls ? (double)e->calls / s->calls : 0;
		e->self = s->self * part;
		e->children = s->children * part;
		if (e->from == GRAPH_NONE)
			continue;
		g->node[e->from].children += e->self + e->children;
		sum[group[e->from]].children += e->self + e->children;
	}
}

/* Return the functions by group, which is callees before callers; the caller frees them. */
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
static void propagate(struct graph *g)
{
	uint32_t i, ngroup, *group = find_groups(g, &ngroup), *order;
	struct sum *sum = memory_zeroed(ngroup + 1, sizeof(*sum));

	order = by_group(group, g->n, ngroup);
	count_calls(g, group, sum);
	for (i = 0; i < g->n; i++)
		sum[group[i]].self += g->node[i].self;
	for (i = 0; i < g->n; i++)
		pass_up(g, group, sum, order[i]);
	free(order);
	free(group);
	free(sum);
}

void graph_make(struct graph *g, struct functions *f)
{
	uint32_t i;

	*g = (struct graph){.measured = f->prof->has_paths || f->prof->narc == 0};
	functions_count(f);
	if (g->measured)
		from_paths(g, f);
	else
		from_arcs(g, f);
	g->n = f->n;
	g->node = memory_zeroed(g->n, sizeof(*g->node));
	for (i = 0; i < g->n; i++) {
		g->node[i].self = f->function[i].self;
		g->node[i].children = g->measured ? f->function[i].all - f->function[i].self : 0;
	}
	index_edges(g);
	if (!g->measured)
		propagate(g);
}

void graph_free(struct graph *g)
{
	free(g->node);
	free(g->edge);
	free(g->in);
}
