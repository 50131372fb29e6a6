/* gnomon-report(1): the call graph in gprof's layout. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "tools/memory.h"
#include "tools/profile/graph.h"
#include "tools/report/report.h"

#define NAME 512

double report_shown(const struct report *r, double count)
{
	return r->prof.us > 0 ? count * r->prof.us / 1000 : count;
}

/* Print a function's name, its cycle and its place in the list: "sched <cycle 1> [3]". */
static void print_name(const struct report *r, const struct graph *g, uint32_t i,
		       const uint32_t *place)
{
	char name[NAME];

	if (i == GRAPH_NONE) {
		puts("<spontaneous>");
		return;
	}
	fputs(report_name(r, i, name, sizeof(name)), stdout);
	if (g->node[i].cycle)
		printf(" <cycle %" PRIu32 ">", g->node[i].cycle);
	if (place[i])
		printf(" [%" PRIu32 "]", place[i]);
	putchar('\n');
}

/*
 * Print the calls of an edge out of all calls of its callee, "2/5"; within a cycle only the
 * edge's calls, since the total has only calls from outside the cycle.
 */
static void print_calls(const struct graph *g, const struct graph_edge *e)
{
	const struct graph_node *to = &g->node[e->to];
	bool inside = e->from != GRAPH_NONE && to->cycle && g->node[e->from].cycle == to->cycle;
	char text[48];

	if (g->measured)
		return;
	if (inside || e->from == e->to)
		snprintf(text, sizeof(text), "%" PRIu64, e->calls);
	else
		snprintf(text, sizeof(text), "%" PRIu64 "/%" PRIu64, e->calls, to->calls);
	printf(" %20s", text);
}

/* Print a caller or a callee: `other`. Recursion is on the function's own line. */
static void print_edge(const struct report *r, const struct graph *g, const struct graph_edge *e,
		       uint32_t other, const uint32_t *place)
{
	if (e->from == e->to)
		return;
	printf("%14s %12.2f %12.2f", "", report_shown(r, e->self), report_shown(r, e->children));
	print_calls(g, e);
	printf("      ");
	print_name(r, g, other, place);
}

/* Print the function's own line. */
static void print_primary(const struct report *r, const struct graph *g, uint32_t i,
			  const uint32_t *place)
{
	const struct graph_node *node = &g->node[i];
	char text[48];

	snprintf(text, sizeof(text), "[%" PRIu32 "]", place[i]);
	printf("%-6s", text);
	report_share(r, 8, report_percent(r, node->self + node->children));
	printf(" %12.2f %12.2f", report_shown(r, node->self), report_shown(r, node->children));
	if (node->recursive)
		snprintf(text, sizeof(text), "%" PRIu64 "+%" PRIu64, node->calls, node->recursive);
	else
		snprintf(text, sizeof(text), "%" PRIu64, node->calls);
	if (!g->measured)
		printf(" %20s", node->calls || node->recursive ? text : "");
	printf("  ");
	print_name(r, g, i, place);
}

struct graph_edge **report_edges(const struct graph *g, uint32_t function, bool down, size_t *n)
{
	const struct graph_node *node = &g->node[function];
	struct graph_edge **edge, *e;
	size_t i, j;

	*n = down ? node->nout : node->nin;
	edge = memory_zeroed(*n, sizeof(*edge));
	for (i = 0; i < *n; i++)
		edge[i] = &g->edge[down ? node->out + i : g->in[node->in + i]];
	/* by insertion: they are few, and equal ones keep their order */
	for (i = 1; i < *n; i++) {
		e = edge[i];
		for (j = i; j > 0 && edge[j - 1]->self + edge[j - 1]->children <
					     e->self + e->children; j--)
			edge[j] = edge[j - 1];
		edge[j] = e;
	}
	return edge;
}

/*
 * Print one entry, callers above the function and callees below it. By paths there are no
 * calls:
 *
 *                         30.00         0.00      sh:? [2]
 * [3]      40.00         10.00        30.00  kernel:sched [3]
 *                         30.00         0.00      kernel:memcpy [4]
 * -----------------------------------------------
 */
static void print_entry(const struct report *r, const struct graph *g, uint32_t i,
			const uint32_t *place)
{
	size_t j, n;
	struct graph_edge **edge = report_edges(g, i, false, &n);

	for (j = n; j-- > 0;)
		print_edge(r, g, edge[j], edge[j]->from, place);
	free(edge);
	if (n == 0)
		printf("%*s      <spontaneous>\n", g->measured ? 40 : 61, "");
	print_primary(r, g, i, place);
	edge = report_edges(g, i, true, &n);
	for (j = 0; j < n; j++)
		print_edge(r, g, edge[j], edge[j]->to, place);
	puts("-----------------------------------------------");
	free(edge);
}

/* For qsort_r: the most time that was not idle first, idle ones last, then the most calls. */
static int compare(const void *va, const void *vb, void *arg)
{
	const uint32_t ia = *(const uint32_t *)va, ib = *(const uint32_t *)vb;
	const struct graph_node *a = (struct graph_node *)arg + ia;
	const struct graph_node *b = (struct graph_node *)arg + ib;
	double ta = a->self + a->children - a->idle, tb = b->self + b->children - b->idle;

	if (ta != tb)
		return ta > tb ? -1 : 1;
	if (a->idle != b->idle)
		return a->idle < b->idle ? -1 : 1;
	if (a->calls != b->calls)
		return a->calls > b->calls ? -1 : 1;
	return ia < ib ? -1 : ia > ib;
}

/*
 * Put the functions that have time or calls in order. Return each function's place in the
 * list, from 1; 0: it is not in it.
 */
static uint32_t *arrange(const struct graph *g, uint32_t *order, uint32_t *n)
{
	uint32_t *place = memory_zeroed(g->n, sizeof(*place)), i;

	*n = 0;
	for (i = 0; i < g->n; i++)
		if (g->node[i].self > 0 || g->node[i].children > 0 || g->node[i].nin ||
		    g->node[i].nout)
			order[(*n)++] = i;
	qsort_r(order, *n, sizeof(*order), compare, g->node);
	for (i = 0; i < *n; i++)
		place[order[i]] = i + 1;
	return place;
}

/* Return the share of a function's time, and of what it called, in everything. */
static double share(const struct report *r, const struct graph *g, uint32_t i)
{
	return report_percent(r, g->node[i].self + g->node[i].children);
}

/* Print the entries. */
static void print_graph(const struct report *r, const struct graph *g, const uint32_t *order,
			uint32_t n, const uint32_t *place)
{
	size_t left_out = 0;
	char text[128];
	uint32_t i;

	report_head(r);
	snprintf(text, sizeof(text), "%-6s %7s %12s %12s%s%s  function", "index", "%",
		 r->prof.us > 0 ? "self ms" : "self", r->prof.us > 0 ? "children ms" : "children",
		 g->measured ? "" : " ", g->measured ? "" : "               calls");
	putchar('\n');
	report_titles(r, text);
	putchar('\n');
	for (i = 0; i < n; i++) {
		if (report_shows(r, i, share(r, g, order[i])))
			print_entry(r, g, order[i], place);
		else
			left_out++;
	}
	report_left_out(left_out);
}

/* Write the edges that lead to a function as data; an unknown caller is one without a name. */
static void write_edges(struct sheet *s, const struct graph *g, uint32_t i)
{
	const struct function *f = s->r->functions.function;
	size_t j, n;
	struct graph_edge **edge = report_edges(g, i, false, &n);

	for (j = 0; j < n; j++) {
		uint32_t from = edge[j]->from;

		sheet_text(s, from == GRAPH_NONE ? NULL : report_module(s->r, from));
		sheet_text(s, from == GRAPH_NONE ? NULL : f[from].name);
		sheet_text(s, report_module(s->r, i));
		sheet_text(s, f[i].name);
		sheet_number(s, edge[j]->self);
		sheet_number(s, edge[j]->children);
		g->measured ? sheet_unknown(s) : sheet_count(s, edge[j]->calls);
	}
	free(edge);
	if (n)
		return;
	sheet_unknown(s);
	sheet_unknown(s);
	sheet_text(s, report_module(s->r, i));
	sheet_text(s, f[i].name);
	sheet_number(s, g->node[i].self);
	sheet_number(s, g->node[i].children);
	sheet_unknown(s);
}

/* Write the edges to all functions that are shown. */
static void write_graph(const struct report *r, const struct graph *g, const uint32_t *order,
			uint32_t n)
{
	static const char *const column[] = {
		"caller_module", "caller", "callee_module", "callee", "self_%", "children_%",
		"calls", NULL,
	};
	size_t left_out = 0;
	struct sheet s;
	uint32_t i;

	sheet_begin(&s, r, column);
	for (i = 0; i < n; i++) {
		if (report_shows(r, i, share(r, g, order[i])))
			write_edges(&s, g, order[i]);
		else
			left_out += g->node[order[i]].nin;
	}
	sheet_end(&s, "callgraph", left_out);
}

int report_graph(struct report *r, struct complaint *why)
{
	uint32_t *order, *place, n;
	struct graph g;

	if (!r->prof.has_paths && !r->prof.narc)
		return complain(why, "%s: it has no calls: neither paths nor arcs", r->file);
	graph_make(&g, &r->functions);
	order = memory_zeroed(g.n, sizeof(*order));
	place = arrange(&g, order, &n);
	if (r->options.format == SHEET_TEXT)
		print_graph(r, &g, order, n, place);
	else
		write_graph(r, &g, order, n);
	free(order);
	free(place);
	graph_free(&g);
	return 0;
}
