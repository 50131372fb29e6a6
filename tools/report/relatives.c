/* gnomon-report(1): one function's callers or callees. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "tools/distinct.h"
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/profile/graph.h"
#include "tools/report/report.h"

#define NAME 512
#define DEEPEST 64 /* levels that are indented */

/* A function in the tree of callers or callees, which is the same for all paths to it. */
struct branch {
	uint32_t parent, function; /* the key */
	uint32_t child, next; /* indices of the first child and the next sibling; 0: none */
	uint64_t count;
};

/* The tree; the first branch is its root. */
struct tree {
	struct branch *branch;
	size_t n, room;
	struct distinct known; /* branches but the root */
	struct sheet *sheet; /* for other programs; NULL: it is printed */
	size_t rows, left_out; /* so far */
	bool *wanted;  /* by function: it has the name that was asked for */
	size_t nwanted, room_wanted;
	const char *name; /* that was asked for */
	bool down; /* towards callees; else towards callers */
};

/* Find the branch of a function at another one, or make it. */
static uint32_t branch_at(struct tree *t, uint32_t at, uint32_t function)
{
	struct branch key = {.parent = at, .function = function, .next = t->branch[at].child};
	uint32_t i = (uint32_t)distinct_index(&t->known, t->branch, &key, t->n);

	if (i < t->n)
		return i;
	t->branch = memory_grow(t->branch, &t->room, t->n + 1, sizeof(*t->branch));
	t->branch[t->n++] = key;
	t->branch[at].child = i;
	return i;
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

/* Count a step of a path that has come to the branch `at`. Return the step's own branch. */
static uint32_t count_step(struct tree *t, uint32_t at, const struct step *step, uint64_t count)
{
	uint32_t branch = branch_at(t, at, step->function);

	t->branch[branch].count += count;
	return branch;
}

/*
 * Add a path to the tree: for callers from the innermost wanted step outwards, for callees
 * from the outermost one inwards, so that recursion is within the tree.
 */
static void add_path(struct report *r, struct tree *t, const struct profdata_sample *s)
{
	size_t i, n, found;
	const struct step *step = functions_caused(&r->functions, s, &n);
	uint32_t at = 0;

	for (i = 0, found = n; i < n; i++) {
		if (!is_wanted(r, t, step[i].function))
			continue;
		found = i;
		if (t->down)
			break;
	}
	if (found == n)
		return;
	t->branch[0].count += s->count;
	if (t->down)
		for (i = found + 1; i < n; i++)
			at = count_step(t, at, &step[i], s->count);
	else
		for (i = found; i-- > 0;)
			at = count_step(t, at, &step[i], s->count);
}

/* For qsort_r: the most first, then in the order in which they were met. */
static int compare_branches(const void *va, const void *vb, void *branch)
{
	const uint32_t ia = *(const uint32_t *)va, ib = *(const uint32_t *)vb;
	const struct branch *a = (struct branch *)branch + ia, *b = (struct branch *)branch + ib;

	if (a->count != b->count)
		return order(b->count, a->count);
	return order(ia, ib);
}

/* Sort the children of a branch, which has some. */
static void sort_children(struct tree *t, uint32_t at)
{
	uint32_t i, *child = NULL, *link = &t->branch[at].child;
	size_t n = 0, room = 0, j;

	for (i = *link; i; i = t->branch[i].next) {
		child = memory_grow(child, &room, n + 1, sizeof(*child));
		child[n++] = i;
	}
	qsort_r(child, n, sizeof(*child), compare_branches, t->branch);
	for (j = 0; j < n; j++) {
		*link = child[j];
		link = &t->branch[child[j]].next;
	}
	*link = 0;
	free(child);
}

/* The names of the reports, by whether they lead down. */
static const char *const kind_name[] = {"callers", "callees"};

static const char *const tree_columns[] = {
	"depth", "module", "function", "all_%", "percent", "calls", NULL,
};

/*
 * Print a branch. The root has the name that was asked for, which may be of several functions. The
 * depth of one that is too deep to be indented is told, so that the lines of a deep tree are short.
 */
static void print_branch(const struct report *r, const struct tree *t, const struct branch *b,
			 unsigned depth)
{
	char buf[NAME];
	const char *name = t->name;

	if (depth)
		name = report_name(r, b->function, buf, sizeof(buf));
	printf("%14" PRIu64, b->count);
	report_share(r, 8, report_percent(r, b->count));
	if (depth > DEEPEST)
		printf("  %*s[%u] %s\n", 2 * DEEPEST, "", depth, name);
	else
		printf("  %*s%s\n", 2 * depth, "", name);
}

/* Write a branch as data. */
static void write_branch(const struct report *r, const struct tree *t, const struct branch *b,
			 unsigned depth)
{
	sheet_count(t->sheet, depth);
	if (depth) {
		sheet_function(t->sheet, b->function);
	} else {
		sheet_unknown(t->sheet);
		sheet_text(t->sheet, t->name);
	}
	sheet_count(t->sheet, b->count);
	sheet_number(t->sheet, report_percent(r, b->count));
	sheet_unknown(t->sheet);
}

/* Return whether a branch is too small to be shown: below 0.5 % of the root without --limit P%. */
static bool is_small(const struct report *r, const struct tree *t, const struct branch *b)
{
	const struct report_limit *limit = &r->options.limit;

	if (limit->rows == SIZE_MAX)
		return report_percent(r, b->count) < limit->percent;
	return b->count <= (t->branch[0].count - 1) / 200; /* times 200 it may not fit */
}

/* Show a branch, unless it is left out. Return whether it is shown: its children are next then. */
static bool show_branch(const struct report *r, struct tree *t, uint32_t at, unsigned depth)
{
	if (t->rows >= r->options.limit.rows || is_small(r, t, &t->branch[at])) {
		t->left_out++;
		return false;
	}
	t->rows++;
	if (t->sheet)
		write_branch(r, t, &t->branch[at], depth);
	else
		print_branch(r, t, &t->branch[at], depth);
	return true;
}

/* Show all branches, each before its children; a path may be longer than a stack is deep. */
static void show_branches(const struct report *r, struct tree *t)
{
	unsigned depth = 0;
	uint32_t at = 0;

	for (;;) {
		if (show_branch(r, t, at, depth) && t->branch[at].child) {
			sort_children(t, at);
			at = t->branch[at].child;
			depth++;
			continue;
		}
		for (; at && !t->branch[at].next; depth--)
			at = t->branch[at].parent;
		if (!at)
			return;
		at = t->branch[at].next;
	}
}

/* Print the tree. */
static void print_tree(const struct report *r, struct tree *t)
{
	const char *title = "function, with all that it called, and its callers";
	char text[128];

	if (t->down)
		title = "function, with all that it called, and what that was";
	report_head(r);
	snprintf(text, sizeof(text), "%14s %7s  %s", profdata_unit_name[r->prof.unit], "%",
		 title);
	putchar('\n');
	report_titles(r, text);
	putchar('\n');
	show_branches(r, t);
	if (t->left_out)
		printf("%zu branches more; --limit 0 shows all\n", t->left_out);
}

/* Show the tree that the paths make. */
static int show_tree(struct report *r, const char *wanted, bool down, struct complaint *why)
{
	struct tree t = {
		.name = wanted, .down = down,
		.known = {.size = sizeof(*t.branch), .key = offsetof(struct branch, child)},
	};
	struct sheet sheet;
	size_t i;
	int bad = 0;

	t.branch = memory_grow(NULL, &t.room, 1, sizeof(*t.branch));
	t.branch[t.n++] = (struct branch){.count = 0};
	for (i = 0; i < r->prof.nsample; i++)
		add_path(r, &t, &r->prof.sample[i]);
	if (!t.branch[0].count) {
		bad = report_no_function(r, "no path goes through a function", wanted, why);
	} else if (r->options.format == SHEET_TEXT) {
		print_tree(r, &t);
	} else {
		t.sheet = &sheet;
		sheet_begin(&sheet, r, tree_columns);
		show_branches(r, &t);
		sheet_end(&sheet, kind_name[down], t.left_out);
	}
	free(t.branch);
	distinct_free(&t.known);
	free(t.wanted);
	return bad;
}

/* Print a caller or callee, or write it as data. */
static void put_call(const struct report *r, struct sheet *sheet, const struct graph_edge *e,
		     uint32_t other)
{
	double all = e->self + e->children;
	char buf[NAME];
	const char *name = "<spontaneous>";

	if (!sheet) {
		if (other != GRAPH_NONE)
			name = report_name(r, other, buf, sizeof(buf));
		printf("%12" PRIu64 " %12.2f  %s\n", e->calls, report_shown(r, all), name);
		return;
	}
	sheet_count(sheet, 1);
	sheet_function(sheet, other);
	sheet_number(sheet, all);
	sheet_number(sheet, report_percent(r, all));
	sheet_count(sheet, e->calls);
}

/* Show the callers or the callees of a function. Return how many are left out. */
static size_t show_calls_of(const struct report *r, struct sheet *sheet, const struct graph *g,
			    uint32_t i, bool down)
{
	size_t j, n, left_out = 0;
	struct graph_edge **edge = report_edges(g, i, down, &n);

	for (j = 0; j < n; j++) {
		uint32_t other = edge[j]->from;

		if (down)
			other = edge[j]->to;
		if (report_shows(r, j, report_percent(r, edge[j]->self + edge[j]->children)))
			put_call(r, sheet, edge[j], other);
		else
			left_out++;
	}
	free(edge);
	return left_out;
}

/* Begin with a function whose callers or callees follow. */
static void put_wanted(const struct report *r, struct sheet *sheet, const struct graph *g,
		       uint32_t i, bool down)
{
	double all = g->node[i].self + g->node[i].children;
	const char *title = "all";
	char name[NAME];

	if (!sheet) {
		if (r->prof.us > 0)
			title = "ms";
		printf("\n%12s %12s  %s of ", "calls", title, kind_name[down]);
		puts(report_name(r, i, name, sizeof(name)));
		return;
	}
	sheet_count(sheet, 0);
	sheet_function(sheet, i);
	sheet_number(sheet, all);
	sheet_number(sheet, report_percent(r, all));
	sheet_count(sheet, g->node[i].calls);
}

/* Show what arcs tell: one step only, but the number of calls. */
static int show_arcs(struct report *r, const char *wanted, bool down, struct complaint *why)
{
	bool text = r->options.format == SHEET_TEXT, met = false;
	size_t left_out = 0, left;
	struct sheet sheet, *to = &sheet;
	struct graph g;
	uint32_t i;

	if (text)
		to = NULL;
	graph_make(&g, &r->functions);
	for (i = 0; i < g.n; i++) {
		if (!report_matches(r, i, wanted))
			continue;
		if (!met && text)
			report_head(r);
		else if (!met)
			sheet_begin(&sheet, r, tree_columns);
		met = true;
		put_wanted(r, to, &g, i, down);
		left = show_calls_of(r, to, &g, i, down);
		left_out += left;
		if (text)
			report_left_out(left);
	}
	if (met && !text)
		sheet_end(&sheet, kind_name[down], left_out);
	graph_free(&g);
	if (!met)
		return report_no_function(r, "no arc leads to or from a function", wanted, why);
	return 0;
}

/* Show who calls a function, or what it calls, by what the profile knows of calls. */
static int show_relatives(struct report *r, bool down, struct complaint *why)
{
	if (r->prof.has_paths)
		return show_tree(r, r->options.function, down, why);
	if (r->prof.narc)
		return show_arcs(r, r->options.function, down, why);
	return report_no_calls(r, why);
}

int report_callers(struct report *r, struct complaint *why)
{
	return show_relatives(r, false, why);
}

int report_callees(struct report *r, struct complaint *why)
{
	return show_relatives(r, true, why);
}
