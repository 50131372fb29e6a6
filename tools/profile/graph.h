/* The call graph of a profile: who calls whom, and how much of the time that is. */
#ifndef TOOLS_PROFILE_GRAPH_H
#define TOOLS_PROFILE_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/profile/functions.h"

/* Calls from one function to another. */
struct graph_edge {
	uint32_t from, to; /* numbers of functions; from may be GRAPH_NONE */
	uint64_t calls;	   /* with arcs: how many; with paths: counts of all samples on it */
	double self, children; /* counts in `to`, and below it, that came this way */
};

/* What a function has. */
struct graph_node {
	double self, children; /* counts in it, and in what it called */
	uint64_t calls;	       /* from others; with arcs only */
	uint64_t recursive;    /* from itself; with arcs only */
	uint32_t cycle;	       /* functions that call each other have the same one; 0: none */
	size_t in, nin;	       /* edges that lead here: graph.in[in] and on */
	size_t out, nout;      /* edges from here: graph.edge[out] and on */
};

#define GRAPH_NONE UINT32_MAX /* an edge from nowhere: from outside of what was counted */

struct graph {
	bool measured; /* by paths; else children are computed as gprof does: time goes by calls */
	struct graph_node *node; /* by number of function */
	uint32_t n;
	struct graph_edge *edge; /* by from, then to */
	size_t nedge;
	uint32_t *in; /* edges by to, then from */
};

/*
 * From a profile's paths if it has any, else from its arcs. Functions get numbers and
 * counts (functions_count()).
 */
void graph_make(struct graph *g, struct functions *f);
void graph_free(struct graph *g);

/* The edge between two functions, or NULL. */
const struct graph_edge *graph_edge_of(const struct graph *g, uint32_t from, uint32_t to);

#endif
