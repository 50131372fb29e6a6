/*
 * The format of callgrind: costs by function, instruction and line, and of each call the cost
 * of all that it led to. https://valgrind.org/docs/manual/cl-format.html
 */
#include <stdlib.h>
#include "tools/distinct.h"
#include "tools/export/callgrindfile.h"
#include "tools/export/export.h"
#include "tools/memory.h"
#include "tools/profile/graph.h"

/* The "file" of a process, which is the root of its paths. */
static const char process_file[] = "process";

/* The costs being gathered. Processes are functions from CALLGRIND_ROOT on. */
struct gatherer {
	struct export *x;
	struct callgrind_cost *cost;
	size_t n, room;
	struct distinct known; /* of the costs: all but the cost and the calls */
	uint32_t *seen; /* by function: the stamp of the last sample that had it */
	size_t room_seen;
};

/* Add a cost: to an equal one, if there is one. */
static void add_cost(struct gatherer *g, const struct callgrind_cost *cost)
{
	struct callgrind_cost c = *cost;
	size_t i;

	if (!g->x->options.addresses)
		c.pc = 0;
	i = distinct_index(&g->known, g->cost, &c, g->n);
	if (i < g->n) {
		g->cost[i].cost += c.cost;
		g->cost[i].calls += c.calls;
		return;
	}
	g->cost = memory_grow(g->cost, &g->room, g->n + 1, sizeof(*g->cost));
	g->cost[g->n++] = c;
}

/* Whether a function is met for the first time on the path of that stamp, which is not 0. */
static bool is_first(struct gatherer *g, uint32_t function, uint32_t stamp)
{
	g->seen = memory_grow_zeroed(g->seen, &g->room_seen, function + 1, sizeof(*g->seen));
	if (g->seen[function] == stamp)
		return false;
	g->seen[function] = stamp;
	return true;
}

/*
 * Add a path: the cost of its last step, and for each function the cost of the call by which
 * it first came onto the path, so that no function's calls cost more than was counted in all.
 */
static void add_path(struct gatherer *g, const struct profdata_sample *s, uint32_t stamp)
{
	size_t i, n;
	const struct step *step = export_path(g->x, s, &n);
	struct callgrind_cost c = {.cost = s->count, .calls = s->count};

	if (s->process != PROFDATA_NONE) {
		c.function = CALLGRIND_ROOT + s->process;
		c.callee = step[0].function;
		c.file = process_file;
		add_cost(g, &c);
	}
	is_first(g, step[0].function, stamp);
	for (i = 0; i < n; i++) {
		bool last = i + 1 == n;

		c.function = step[i].function;
		c.callee = CALLGRIND_SELF;
		if (!last)
			c.callee = step[i + 1].function;
		c.pc = export_address(&step[i], last);
		c.file = step[i].file;
		c.line = step[i].line;
		if (last || is_first(g, c.callee, stamp))
			add_cost(g, &c);
	}
}

/* The call graph, of symbols only: arcs know nothing of inlined functions. */
struct arcs {
	struct functions functions;
	struct graph graph;
	double *carry; /* by function: what rounding has left over from its calls */
};

/*
 * Return an arc's part of the time that all calls between its two functions have by gprof's
 * rule. What is rounded off goes to the callee's next arc, so that the sum is right.
 */
static uint64_t arc_cost(struct arcs *arcs, const struct profdata_arc *a, bool nowhere)
{
	uint32_t to = functions_at(&arcs->functions, a->image, a->selfpc);
	uint32_t from = GRAPH_NONE;
	const struct graph_edge *e;
	double exact;
	uint64_t cost;

	if (!nowhere)
		from = functions_at(&arcs->functions, a->image, a->frompc);
	e = graph_edge_of(&arcs->graph, from, to);
	exact = arcs->carry[to] + (e->self + e->children) * a->count / e->calls;
	cost = (uint64_t)(exact + 0.5);
	arcs->carry[to] = exact - cost;
	return cost;
}

/* Add the calls of an arc. */
static void add_arc(struct gatherer *g, struct arcs *arcs, const struct profdata_arc *a)
{
	struct functions *f = &g->x->functions;
	struct callgrind_cost c = {.calls = a->count, .pc = a->frompc};
	struct place place;
	bool nowhere;

	c.function = functions_at(f, a->image, a->frompc);
	c.callee = functions_at(f, a->image, a->selfpc);
	nowhere = f->function[c.function].end == 0;
	if (nowhere) {
		c.function = CALLGRIND_SPONTANEOUS;
		c.pc = 0;
	} else {
		place = image_line(g->x->prof.image[a->image].elf, a->frompc);
		c.file = place.file;
		c.line = place.line;
	}
	c.cost = arc_cost(arcs, a, nowhere);
	add_cost(g, &c);
}

/* Add the calls of all arcs if there are no paths, which would have them, too. */
static void add_arcs(struct gatherer *g)
{
	const struct profdata *p = &g->x->prof;
	struct arcs arcs;
	size_t i;

	if (p->has_paths)
		return;
	if (p->narc == 0)
		return;
	functions_init(&arcs.functions, p, false);
	graph_make(&arcs.graph, &arcs.functions);
	arcs.carry = memory_zeroed(arcs.functions.n, sizeof(*arcs.carry));
	for (i = 0; i < p->narc; i++)
		add_arc(g, &arcs, &p->arc[i]);
	free(arcs.carry);
	graph_free(&arcs.graph);
	functions_free(&arcs.functions);
}

/* Return what to call the object file of an image. */
static const char *object_of(const struct profdata *p, uint32_t image)
{
	if (image == PROFDATA_NONE)
		return "???";
	if (p->image[image].elf)
		return p->image[image].elf->path;
	return p->image[image].name;
}

/* Return what is known of a function, or of what stands for one. */
static struct callgrind_function describe(void *arg, uint32_t function, char buf[512])
{
	struct export *x = arg;
	const struct function *f = x->functions.function;
	struct callgrind_function d = {.object = "???", .file = NULL};
	struct export_origin origin;

	if (function == CALLGRIND_SPONTANEOUS) {
		d.name = "<spontaneous>";
	} else if (function >= CALLGRIND_ROOT) {
		d.name = x->prof.name[function - CALLGRIND_ROOT];
		d.file = process_file;
	} else {
		origin = export_origin(x, function);
		d.name = export_name(x, function, buf, 512);
		d.file = origin.file;
		d.line = origin.line;
		d.pc = f[function].start;
		d.object = object_of(&x->prof, f[function].image);
	}
	return d;
}

/* Write a fact about the run. */
static void put_fact(void *to, const char *fact)
{
	fprintf(to, "desc: %s\n", fact);
}

int export_callgrind(struct export *x, FILE *to, struct complaint *why)
{
	static const char *const event[] = {
		[PROFDATA_TICKS] = "Ticks", [PROFDATA_INSTRUCTIONS] = "Instructions",
		[PROFDATA_BYTES] = "Bytes", [PROFDATA_CALLS] = "Calls",
		[PROFDATA_MICROSECONDS] = "Microseconds", [PROFDATA_EXECUTED] = "Instructions",
		[PROFDATA_CYCLES] = "Cycles", [PROFDATA_NANOSECONDS] = "Nanoseconds",
	};
	_Static_assert(sizeof(event) / sizeof(event[0]) == PROFDATA_NUNITS,
		       "each unit is an event");
	struct gatherer g = {
		.x = x,
		.known = {
			.size = sizeof(*g.cost), .key = offsetof(struct callgrind_cost, cost),
		},
	};
	struct callgrind_file file = {
		.to = to, .event = event[x->prof.unit], .addresses = x->options.addresses,
		.describe = describe, .arg = x,
	};
	size_t i;

	(void)why;
	for (i = 0; i < x->prof.nsample; i++) {
		add_path(&g, &x->prof.sample[i], i + 1);
		progress_add(&x->progress, 1);
	}
	add_arcs(&g);
	g.n = callgrind_merge(g.cost, g.n);
	fputs("# callgrind format\nversion: 1\ncreator: gnomon export\n", to);
	export_facts(x, put_fact, to);
	callgrind_write(&file, g.cost, g.n);
	distinct_free(&g.known);
	free(g.cost);
	free(g.seen);
	return 0;
}
