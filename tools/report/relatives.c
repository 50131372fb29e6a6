/* gnomon-report(1): one function's callers or callees. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "tools/memory.h"
#include "tools/profile/graph.h"
#include "tools/report/report.h"

#define NAME 512

/* A function in the tree of callers or callees, which is the same for all paths to it. */
struct branch {
	uint32_t function;
	uint32_t child, next; /* indices of the first child and the next sibling; 0: none */
	uint64_t count;
};

/* The tree; the first branch is its root. */
struct tree {
	struct branch *branch;
	size_t n, room;
	size_t rows;   /* printed so far */
	bool *wanted;  /* by function: it has the name that was asked for */
	size_t nwanted, room_wanted;
	const char *name; /* that was asked for */
	bool down; /* towards callees; else towards callers */
};

/* Find the branch of a function at another one, or make it. */
static uint32_t grow(struct tree *t, uint32_t at, uint32_t function)
{
	uint32_t i;

	for (i = t->branch[at].child; i; i = t->branch[i].next)
		if (t->branch[i].function == function)
			return i;
	t->branch = memory_grow(t->branch, &t->room, t->n + 1, sizeof(*t->branch));
	t->branch[t->n] = (struct branch){.function = function, .next = t->branch[at].child};
	t->branch[at].child = t->n;
	return t->n++;
}

/* Whether a function has the name that was asked for; each name is compared once. */
static bool is_wanted(const struct report *r, struct tree *t, uint32_t function)
{
	for (; t->nwanted <= function; t->nwanted++) {
		t->wanted = memory_grow(t->wanted, &t->room_wanted, t->nwanted + 1, sizeof(bool));
		t->wanted[t->nwanted] = report_matches(r, t->nwanted, t->name);
	}
	return t->wanted[function];
}

/*
 * Add a path to the tree: for callers from the innermost wanted step outwards, for callees
 * from the outermost one inwards, so that recursion is within the tree.
 */
static void add_path(struct report *r, struct tree *t, const struct profdata_sample *s)
{
	size_t i, n, found;
	const struct step *step = functions_path(&r->functions, s, &n);
	uint32_t at = 0;

	for (i = 0, found = n; i < n; i++)
		if (is_wanted(r, t, step[i].function) && (!t->down || found == n))
			found = i;
	if (found == n)
		return;
	t->branch[0].count += s->count;
	for (i = found; t->down ? ++i < n : i-- > 0;) {
		at = grow(t, at, step[i].function);
		t->branch[at].count += s->count;
	}
}

/* Sort the children of a branch, the most first. */
static void sort_children(struct tree *t, uint32_t at)
{
	uint32_t i, next, sorted_list = 0, *link;

	for (i = t->branch[at].child; i; i = next) {
		next = t->branch[i].next;
		for (link = &sorted_list; *link && t->branch[*link].count > t->branch[i].count;)
			link = &t->branch[*link].next;
		t->branch[i].next = *link;
		*link = i;
	}
	t->branch[at].child = sorted_list;
}

/* Print a branch and its children; a limit leaves out those below 0.5 % of the root. */
static void print_branch(const struct report *r, struct tree *t, uint32_t at, unsigned depth)
{
	const struct branch *b = &t->branch[at];
	char name[NAME];
	uint32_t i;

	if (t->rows++ >= r->options.limit)
		return;
	printf("%14" PRIu64 " %7.2f  %*s%s\n", b->count, report_percent(r, b->count), 2 * depth,
	       "", at ? report_name(r, b->function, name, sizeof(name)) : t->name);
	sort_children(t, at);
	for (i = t->branch[at].child; i; i = t->branch[i].next)
		if (r->options.limit == SIZE_MAX || t->branch[i].count * 200 >= t->branch[0].count)
			print_branch(r, t, i, depth + 1);
}

/* Print the tree that the paths make. */
static int print_tree(struct report *r, const char *wanted, bool down, struct complaint *why)
{
	struct tree t = {.name = wanted, .down = down};
	size_t i;
	int bad = 0;

	t.branch = memory_grow(NULL, &t.room, 1, sizeof(*t.branch));
	t.branch[t.n++] = (struct branch){.count = 0};
	for (i = 0; i < r->prof.nsample; i++)
		add_path(r, &t, &r->prof.sample[i]);
	if (t.branch[0].count) {
		report_head(r);
		printf("\n%14s %7s  %s\n", profdata_unit_name[r->prof.unit], "%",
		       down ? "function, and what it called" : "function, and who called it");
		print_branch(r, &t, 0, 0);
	} else {
		bad = complain(why, "%s: no path goes through a function %s", r->file, wanted);
	}
	free(t.branch);
	free(t.wanted);
	return bad;
}

/* Print the callers or the callees of a function, those with the most time first. */
static void print_calls_of(const struct report *r, const struct graph *g, uint32_t i, bool down)
{
	size_t j, n;
	struct graph_edge **edge = report_edges(g, i, down, &n);
	uint32_t other;
	char name[NAME];

	for (j = 0; j < n && j < r->options.limit; j++) {
		other = down ? edge[j]->to : edge[j]->from;
		printf("%12" PRIu64 " %12.2f  %s\n", edge[j]->calls,
		       report_shown(r, edge[j]->self + edge[j]->children),
		       other == GRAPH_NONE ? "<spontaneous>" :
					     report_name(r, other, name, sizeof(name)));
	}
	free(edge);
}

/* Print what arcs tell: one step only, but the number of calls. */
static int print_arcs(struct report *r, const char *wanted, bool down, struct complaint *why)
{
	struct graph g;
	char name[NAME];
	bool met = false;
	uint32_t i;

	graph_make(&g, &r->functions);
	for (i = 0; i < g.n; i++) {
		if (!report_matches(r, i, wanted))
			continue;
		if (!met)
			report_head(r);
		met = true;
		printf("\n%12s %12s  %s of %s\n", "calls", r->prof.us > 0 ? "ms" : "all",
		       down ? "callees" : "callers", report_name(r, i, name, sizeof(name)));
		print_calls_of(r, &g, i, down);
	}
	graph_free(&g);
	return met ? 0 : complain(why, "%s: no function %s was met", r->file, wanted);
}

/* Print who calls a function, or what it calls, by what the profile knows of calls. */
static int print_relatives(struct report *r, bool down, struct complaint *why)
{
	if (r->prof.has_paths)
		return print_tree(r, r->options.function, down, why);
	if (r->prof.narc)
		return print_arcs(r, r->options.function, down, why);
	return complain(why, "%s: it has no calls: neither paths nor arcs", r->file);
}

int report_callers(struct report *r, struct complaint *why)
{
	return print_relatives(r, false, why);
}

int report_callees(struct report *r, struct complaint *why)
{
	return print_relatives(r, true, why);
}
