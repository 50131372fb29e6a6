/*
 * The call graph of a profile: who calls whom, and how much of the time that is. Counts are in the
 * profile's unit; they are fractions where a function's time had to be shared out among its
 * callers, which nobody has measured (gprof's assumption: each call takes as long as any other).
 */
#ifndef TOOLS_PROFILE_GRAPH_H
#define TOOLS_PROFILE_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/profile/functions.h"

/* Calls from one function to another. */
struct graph_edge {
	uint32_t from, to; /* numbers of functions; from may be GRAPH_NONE */
	uint64_t calls;	   /* with arcs or times: how many; with paths: counts of samples on it */
	double self, children; /* counts in `to`, and in what it called, that came this way */
};

/* A function in the graph. */
struct graph_node {
	double self, children; /* counts in it, and in what it called */
	double idle;	       /* the part of both that is idle time */
	uint64_t calls;	       /* by others; not with paths */
	uint64_t recursive;    /* by itself; not with paths */
	uint32_t cycle;	       /* the same in functions that call each other; 0: none */
	size_t in, nin;	       /* edges that lead here: nin from graph.in[in] on */
	size_t out, nout;      /* edges from here: nout from graph.edge[out] on */
};

#define GRAPH_NONE UINT32_MAX /* the caller is unknown: outside of what was counted */

struct graph {
	bool measured; /* by paths; else, unless `timed', children are computed as in gprof */
	bool timed;    /* by kpcall: each edge has the time that its calls took */
	uint32_t interrupt;	 /* what calls handlers of interrupts, or GRAPH_NONE */
	struct graph_node *node; /* by number of function */
	uint32_t n;
	struct graph_edge *edge; /* by from, then to */
	size_t nedge;
	uint32_t *in; /* indices of edges, by to, then from */
};

/*
 * Make the graph from a profile's measured calls or its paths, if it has any, else from its
 * arcs. Functions get numbers and counts (functions_count()); those that are met later are not in
 * the graph.
 */
void graph_make(struct graph *g, struct functions *f);
void graph_free(struct graph *g);

/* Return the edge between two functions, or NULL. */
const struct graph_edge *graph_edge_of(const struct graph *g, uint32_t from, uint32_t to);

#endif
