/* gnomon-report(1): the call graph in gprof's layout. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/profile/graph.h"
#include "tools/report/report.h"

#define NAME 512

double report_shown(const struct report *r, double count)
{
	if (r->prof.us <= 0)
		return count;
	return count * r->prof.us / 1000;
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

/* Return whether an edge is within a cycle. */
static bool is_inside(const struct graph *g, const struct graph_edge *e)
{
	uint32_t cycle = g->node[e->to].cycle;

	if (e->from == GRAPH_NONE)
		return false;
	if (!cycle)
		return false;
	return g->node[e->from].cycle == cycle;
}

/*
 * Print the calls of an edge out of all calls of its callee, "2/5"; within a cycle only the
 * edge's calls, since the total has only calls from outside the cycle.
 */
static void print_calls(const struct graph *g, const struct graph_edge *e)
{
	const struct graph_node *to = &g->node[e->to];
	char text[48];

	if (g->measured)
		return;
	if (is_inside(g, e) || e->from == e->to)
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
	*text = 0;
	if (node->recursive)
		snprintf(text, sizeof(text), "%" PRIu64 "+%" PRIu64, node->calls, node->recursive);
	else if (node->calls)
		snprintf(text, sizeof(text), "%" PRIu64, node->calls);
	if (!g->measured)
		printf(" %20s", text);
	printf("  ");
	print_name(r, g, i, place);
}

/* For qsort: the most time first; equal ones stay in the order of the graph's edges. */
static int compare_edges(const void *va, const void *vb)
{
	const struct graph_edge *a = *(struct graph_edge *const *)va;
	const struct graph_edge *b = *(struct graph_edge *const *)vb;
	double ta = a->self + a->children, tb = b->self + b->children;

	if (ta != tb)
		return order_real(tb, ta);
	return order((uintptr_t)a, (uintptr_t)b);
}

struct graph_edge **report_edges(const struct graph *g, uint32_t function, bool down, size_t *n)
{
	const struct graph_node *node = &g->node[function];
	struct graph_edge **edge;
	size_t i;

	*n = node->nin;
	if (down)
		*n = node->nout;
	edge = memory_zeroed(*n, sizeof(*edge));
	for (i = 0; i < *n; i++) {
		if (down)
			edge[i] = &g->edge[node->out + i];
		else
			edge[i] = &g->edge[g->in[node->in + i]];
	}
	if (*n)
		qsort(edge, *n, sizeof(*edge), compare_edges);
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
	if (i == g->interrupt)
		n = 1; /* it says by itself what it is */
	if (n == 0 && g->measured)
		printf("%40s      <spontaneous>\n", "");
	else if (n == 0)
		printf("%61s      <spontaneous>\n", "");
	print_primary(r, g, i, place);
	edge = report_edges(g, i, true, &n);
	for (j = 0; j < n; j++)
		print_edge(r, g, edge[j], edge[j]->to, place);
	puts("-----------------------------------------------");
	free(edge);
}

/* For qsort_r: the most time that was not idle first, idle ones last, then the most calls. */
static int compare_nodes(const void *va, const void *vb, void *arg)
{
	const uint32_t ia = *(const uint32_t *)va, ib = *(const uint32_t *)vb;
	const struct graph_node *a = (struct graph_node *)arg + ia;
	const struct graph_node *b = (struct graph_node *)arg + ib;
	double ta = a->self + a->children - a->idle, tb = b->self + b->children - b->idle;

	if (ta != tb)
		return order_real(tb, ta);
	if (a->idle != b->idle)
		return order_real(a->idle, b->idle);
	if (a->calls != b->calls)
		return order(b->calls, a->calls);
	return order(ia, ib);
}

/* Return whether a function has time or calls. */
static bool is_in_list(const struct graph_node *node)
{
	bool calls = node->nin || node->nout;

	return calls || node->self > 0 || node->children > 0;
}

/*
 * Put the functions that have time or calls in order. Return each function's place in the
 * list, from 1; 0: it is not in it.
 */
static uint32_t *arrange_nodes(const struct graph *g, uint32_t *list, uint32_t *n)
{
	uint32_t *place = memory_zeroed(g->n, sizeof(*place)), i;

	*n = 0;
	for (i = 0; i < g->n; i++)
		if (is_in_list(&g->node[i]))
			list[(*n)++] = i;
	qsort_r(list, *n, sizeof(*list), compare_nodes, g->node);
	for (i = 0; i < *n; i++)
		place[list[i]] = i + 1;
	return place;
}

/* Return the share of a function's time, and of what it called, in everything. */
static double node_share(const struct report *r, const struct graph *g, uint32_t i)
{
	return report_percent(r, g->node[i].self + g->node[i].children);
}

/* Print the titles of the columns. */
static void print_titles(const struct report *r, const struct graph *g)
{
	const char *self = "self", *children = "children", *calls = "                calls";
	char text[128];

	if (r->prof.us > 0) {
		self = "self ms";
		children = "children ms";
	}
	if (g->measured)
		calls = "";
	snprintf(text, sizeof(text), "index        %% %12s %12s%s  function", self, children,
		 calls);
	putchar('\n');
	report_titles(r, text);
	putchar('\n');
}

/* Say where the times of callers and callees come from. */
static void print_basis(const struct graph *g)
{
	if (g->timed)
		puts("  by calls, each of which was measured; a function without times of its own "
		     "was not");
	else if (g->measured)
		puts("  by call paths");
	else
		puts("  by counts of calls, as gprof does it: taken to be all alike, whoever made "
		     "them");
}

/* Print the entries. */
static void print_graph(const struct report *r, const struct graph *g, const uint32_t *list,
			uint32_t n, const uint32_t *place)
{
	size_t left_out = 0;
	uint32_t i;

	report_head(r);
	print_basis(g);
	print_titles(r, g);
	for (i = 0; i < n; i++) {
		if (report_shows(r, i, node_share(r, g, list[i])))
			print_entry(r, g, list[i], place);
		else
			left_out++;
	}
	report_left_out(left_out);
}

/* Write the edges that lead to a function as data; an unknown caller is one without a name. */
static void write_edges(struct sheet *s, const struct graph *g, uint32_t i)
{
	size_t j, n;
	struct graph_edge **edge = report_edges(g, i, false, &n);

	for (j = 0; j < n; j++) {
		sheet_function(s, edge[j]->from);
		sheet_function(s, i);
		sheet_number(s, edge[j]->self);
		sheet_number(s, edge[j]->children);
		sheet_count_if(s, !g->measured, edge[j]->calls);
	}
	free(edge);
	if (n)
		return;
	sheet_function(s, GRAPH_NONE);
	sheet_function(s, i);
	sheet_number(s, g->node[i].self);
	sheet_number(s, g->node[i].children);
	sheet_unknown(s);
}

/* Write the edges to all functions that are shown. */
static void write_graph(const struct report *r, const struct graph *g, const uint32_t *list,
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
		if (report_shows(r, i, node_share(r, g, list[i])))
			write_edges(&s, g, list[i]);
		else
			left_out += g->node[list[i]].nin;
	}
	sheet_end(&s, "callgraph", left_out);
}

int report_graph(struct report *r, struct complaint *why)
{
	uint32_t *list, *place, n;
	struct graph g;

	if (!r->prof.has_paths && !r->prof.narc)
		return report_no_calls(r, why);
	graph_make(&g, &r->functions);
	list = memory_zeroed(g.n, sizeof(*list));
	place = arrange_nodes(&g, list, &n);
	if (r->options.format == SHEET_TEXT)
		print_graph(r, &g, list, n, place);
	else
		write_graph(r, &g, list, n);
	free(list);
	free(place);
	graph_free(&g);
	return 0;
}
