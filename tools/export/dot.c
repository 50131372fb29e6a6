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
static double share(const struct drawing *d, double count)
{
	return d->x->prof.total ? count / (double)d->x->prof.total : 0;
}

/* Return what was counted in a function and in all that it called. */
static double whole(const struct drawing *d, uint32_t function)
{
	const struct graph_node *n = &d->graph.node[function];

	return d->graph.measured ? (double)d->x->functions.function[function].all :
				   n->self + n->children;
}

/* Return whether a share is large enough to be drawn. */
static bool large(const struct drawing *d, double count)
{
	return count > 0 && 100 * share(d, count) >= d->x->options.limit;
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
	double self = d->graph.node[function].self, all = whole(d, function);
	const struct profdata *p = &d->x->prof;
	char buf[512];

	fprintf(d->to, "\tn%" PRIu32 " [label=\"", function);
	put_text(d->to, export_name(d->x, function, buf, sizeof(buf)));
	if (f->image != PROFDATA_NONE && !p->image[f->image].kernel) {
		fputs("\\n", d->to);
		put_text(d->to, p->image[f->image].name);
	}
	fprintf(d->to, "\\n%.1f %% own, %.1f %% in all\" tooltip=\"%.0f of %.0f %s\" "
		"fontsize=%.1f fillcolor=\"0.03,%.3f,1\"]\n", 100 * share(d, self),
		100 * share(d, all), self, all, profdata_unit_name[p->unit],
		10 + 20 * sqrt(share(d, self)), 0.7 * fmin(1, share(d, all)));
}

/* Write calls. Arcs have a number of them, too. */
static void put_edge(const struct drawing *d, const struct graph_edge *e)
{
	double part = share(d, e->self + e->children);

	fprintf(d->to, "\tn%" PRIu32 " -> n%" PRIu32 " [label=\"%.1f %%", e->from, e->to,
		100 * part);
	if (!d->graph.measured)
		fprintf(d->to, "\\n%" PRIu64 " calls", e->calls);
	fprintf(d->to, "\" penwidth=%.2f weight=%d]\n", 1 + 5 * fmin(1, part),
		1 + (int)(100 * fmin(1, part)));
}

/* Decide what is drawn, and count the rest. An edge without its functions is not drawn either. */
static void choose(struct drawing *d)
{
	const struct graph_edge *e;
	uint32_t i;

	d->drawn = memory_zeroed(d->graph.n, sizeof(*d->drawn));
	for (i = 0; i < d->graph.n; i++) {
		d->drawn[i] = large(d, whole(d, i));
		d->nodes += !d->drawn[i] && whole(d, i) > 0;
	}
	for (e = d->graph.edge; e < d->graph.edge + d->graph.nedge; e++)
		d->edges += e->from != GRAPH_NONE && e->self + e->children > 0 &&
			    !(d->drawn[e->from] && d->drawn[e->to] &&
			      large(d, e->self + e->children));
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
	fputs("digraph \"", d->to);
	put_text(d->to, d->x->file);
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
	choose(&d);
	put_head(&d);
	for (i = 0; i < d.graph.n; i++)
		if (d.drawn[i])
			put_node(&d, i);
	for (e = d.graph.edge; e < d.graph.edge + d.graph.nedge; e++)
		if (e->from != GRAPH_NONE && d.drawn[e->from] && d.drawn[e->to] &&
		    large(&d, e->self + e->children))
			put_edge(&d, e);
	fputs("}\n", to);
	graph_free(&d.graph);
	free(d.drawn);
	return 0;
}
