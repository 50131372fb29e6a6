/*
 * A call graph for Graphviz, in its language: https://graphviz.org/doc/info/lang.html
 *
 *	digraph "kpstack" {
 *		n4 [label="sched\n5.0 % own, 40.0 % in all" tooltip="5 of 40 ticks" ...]
 *		n4 -> n7 [label="35.0 %" ...]
 *	}
 *
 * What has less than a share of all that was counted is left out, and the graph's label says how
 * much that is.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include "tools/export/export.h"
#include "tools/memory.h"
#include "tools/printable.h"
#include "tools/profile/graph.h"

/* The graph, and which of its functions are drawn. */
struct drawing {
	struct export *x;
	FILE *to;
	struct graph graph;
	bool *drawn; /* by function */
	size_t nodes, edges; /* that are left out */
};

/* Return the share of all counts. */
static double share_of(const struct drawing *d, double count)
{
	if (d->x->prof.total == 0)
		return 0;
	return count / (double)d->x->prof.total;
}

/* Return what was counted in a function and in all that it called. */
static double count_with_callees(const struct drawing *d, uint32_t function)
{
	const struct graph_node *n = &d->graph.node[function];

	return n->self + n->children;
}

/* Return whether a share is large enough to be drawn. */
static bool is_large(const struct drawing *d, double count)
{
	return count > 0 && 100 * share_of(d, count) >= d->x->options.limit;
}

/* Return whether an edge is drawn: not without its functions. */
static bool is_drawn(const struct drawing *d, const struct graph_edge *e)
{
	if (e->from == GRAPH_NONE)
		return false;
	if (!d->drawn[e->from])
		return false;
	return d->drawn[e->to] && is_large(d, e->self + e->children);
}

/* Write a text that is between quotation marks. */
static void put_text(FILE *to, const char *s)
{
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			putc('\\', to);
		putc(*s, to);
	}
}

/* Write a function. Those with much of their own are large, those with much in all are red. */
static void put_node(const struct drawing *d, uint32_t function)
{
	const struct function *f = &d->x->functions.function[function];
	double self = d->graph.node[function].self, all = count_with_callees(d, function);
	double self_share = share_of(d, self), all_share = share_of(d, all);
	const struct profdata *p = &d->x->prof;
	char buf[512];

	fprintf(d->to, "\tn%" PRIu32 " [label=\"", function);
	put_text(d->to, export_name(d->x, function, buf, sizeof(buf)));
	if (f->image != PROFDATA_NONE && !p->image[f->image].kernel) {
		fputs("\\n", d->to);
		put_text(d->to, p->image[f->image].name);
	}
	fprintf(d->to, "\\n%.1f %% own, %.1f %% in all\" ", 100 * self_share, 100 * all_share);
	fprintf(d->to, "tooltip=\"%.0f of %.0f %s\" ", self, all, profdata_unit_name[p->unit]);
	fprintf(d->to, "fontsize=%.1f fillcolor=\"0.03,%.3f,1\"]\n", 10 + 20 * sqrt(self_share),
		0.7 * fmin(1, all_share));
}

/* Write calls. Arcs have a number of them, too. */
static void put_edge(const struct drawing *d, const struct graph_edge *e)
{
	double part = share_of(d, e->self + e->children);

	fprintf(d->to, "\tn%" PRIu32 " -> n%" PRIu32 " [label=\"%.1f %%", e->from, e->to,
		100 * part);
	if (!d->graph.measured)
		fprintf(d->to, "\\n%" PRIu64 " calls", e->calls);
	fprintf(d->to, "\" penwidth=%.2f weight=%d]\n", 1 + 5 * fmin(1, part),
		1 + (int)(100 * fmin(1, part)));
}

/* Decide what is drawn, and count the rest. */
static void choose_drawn(struct drawing *d)
{
	const struct graph_edge *e;
	double count;
	uint32_t i;

	d->drawn = memory_zeroed(d->graph.n, sizeof(*d->drawn));
	for (i = 0; i < d->graph.n; i++) {
		count = count_with_callees(d, i);
		d->drawn[i] = is_large(d, count);
		if (!d->drawn[i] && count > 0)
			d->nodes++;
	}
	for (e = d->graph.edge; e < d->graph.edge + d->graph.nedge; e++) {
		bool counted = e->from != GRAPH_NONE && e->self + e->children > 0;

		if (counted && !is_drawn(d, e))
			d->edges++;
	}
}

/* Add a fact about the run to the label. */
static void put_fact(void *arg, const char *fact)
{
	struct drawing *d = arg;

	put_text(d->to, fact);
	fputs("\\l", d->to);
}

/* Write the graph's own attributes. */
static void put_head(struct drawing *d)
{
	char *shown = printable(d->x->file);

	fputs("digraph \"", d->to);
	put_text(d->to, shown);
	free(shown);
	fputs("\" {\n\tgraph [labelloc=t labeljust=l fontname=\"sans-serif\" label=\"", d->to);
	export_facts(d->x, put_fact, d);
	if (d->nodes + d->edges > 0)
		fprintf(d->to, "left out, below %g %%: %zu functions, %zu calls between functions"
			"\\l", d->x->options.limit, d->nodes, d->edges);
	fputs("\"]\n\tnode [shape=box style=filled fontname=\"sans-serif\"]\n"
	      "\tedge [fontname=\"sans-serif\" fontsize=10]\n", d->to);
}

int export_dot(struct export *x, FILE *to, struct complaint *why)
{
	struct drawing d = {.x = x, .to = to};
	const struct graph_edge *e;
	uint32_t i;

	(void)why;
	graph_make(&d.graph, &x->functions);
	choose_drawn(&d);
	put_head(&d);
	for (i = 0; i < d.graph.n; i++)
		if (d.drawn[i])
			put_node(&d, i);
	for (e = d.graph.edge; e < d.graph.edge + d.graph.nedge; e++)
		if (is_drawn(&d, e))
			put_edge(&d, e);
	fputs("}\n", to);
	graph_free(&d.graph);
	free(d.drawn);
	return 0;
}
