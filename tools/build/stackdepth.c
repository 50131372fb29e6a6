/*
 * stackdepth: how deep the stacks of a kernel can become, from its machine code.
 *
 * It prints each stack of the rules (tools/depth/rules.h) with its entries, the paths that are
 * deepest, and what is to be objected to: then the exit status is 1. With -t these are TAP's
 * comments, for a test.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/depth/graph.h"
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/version.h"

#define PATHS 10

static const char usage[] = "usage: stackdepth [-t] KERNEL RULES\n";

/* A path that the report shows. */
struct path {
	int depth, at; /* bytes in use at its end, and before fn is called */
	size_t fn;
};

static const char *prefix = "";

/*
 * Print a path of calls from a function on, each with the bytes that are in use by it at the next
 * call; `more` are added to the first, for they are in use before.
 */
static void print_calls(struct graph *g, struct depth_entry *e, size_t fn, uint64_t state,
			int more)
{
	const struct depth_answer *a = depth_deepest(g, e, fn, state);
	const struct depth_edge *next = a->next;
	const char *name = g->code->fn[fn].name;

	if (!next) {
		printf(" %s %d", name, more + g->code->fn[fn].own);
		return;
	}
	printf(" %s %d", name, more + next->at);
	if (next->entry) {
		struct depth_entry *on = &g->entry[next->to];

		printf(" (%s)", on->rule->word[0]);
		print_calls(g, on, on->fn, 0, on->bytes - CODE_RETURN);
	} else {
		print_calls(g, e, next->to, depth_entered(g, fn, state), 0);
	}
}

/* For qsort: the deepest first, then as the code has them. */
static int compare_depths(const void *va, const void *vb)
{
	const struct path *a = va, *b = vb;

	if (a->depth != b->depth)
		return order((uint64_t)b->depth, (uint64_t)a->depth);
	return order(a->fn, b->fn);
}

/* Return the function by whose calls the report tells an entry's paths apart, or CODE_NONE. */
static size_t fork_of(const struct graph *g, const struct depth_entry *e)
{
	struct complaint why;

	for (size_t i = 0; i < g->rules->n; i++) {
		const struct rule *r = &g->rules->rule[i];

		if (r->kind == RULE_EACH && strcmp(r->word[0], e->rule->word[0]) == 0)
			return code_named(g->code, r->word[1], &why);
	}
	return CODE_NONE;
}

/* Where the deepest path of an entry reaches a function. */
struct fork {
	size_t fn;
	int at; /* bytes in use before its return address */
	uint64_t state;
};

/* Follow the deepest path to the function, or as far as it goes. */
static struct fork stackdepth_reach(struct graph *g, struct depth_entry *e, size_t fn)
{
	struct fork f = {.fn = e->fn, .at = e->bytes - CODE_RETURN};

	while (f.fn != fn) {
		const struct depth_edge *next = depth_deepest(g, e, f.fn, f.state)->next;

		if (!next || next->entry)
			break;
		f.state = depth_entered(g, f.fn, f.state);
		f.at += next->at;
		f.fn = next->to;
	}
	return f;
}

/* Print the deepest paths by what the function calls through pointers. */
static void print_fork(struct graph *g, struct depth_entry *e, const struct fork *f)
{
	const struct depth_node *node = depth_calls(g, e, f->fn);
	uint64_t state = depth_entered(g, f->fn, f->state);
	struct path *path = memory_zeroed(node->n + 1, sizeof(*path));
	size_t n = 0;

	for (size_t i = 0; i < node->n; i++) {
		const struct depth_edge *edge = &node->edge[i];

		if (!edge->direct && !edge->entry)
			path[n++] = (struct path){
				.at = f->at + edge->at,
				.depth = f->at + edge->at +
					 depth_deepest(g, e, edge->to, state)->depth,
				.fn = edge->to,
			};
	}
	qsort(path, n, sizeof(*path), compare_depths);
	for (size_t i = 0; i < order_min(n, PATHS); i++) {
		printf("%s  %6d: ... %s %d", prefix, path[i].depth, g->code->fn[f->fn].name,
		       path[i].at);
		print_calls(g, e, path[i].fn, state, 0);
		printf("\n");
	}
	free(path);
}

/* Print the deepest path of an entry, or the deepest ones. */
static void print_paths(struct graph *g, struct depth_entry *e)
{
	size_t fn = fork_of(g, e);
	struct fork f = stackdepth_reach(g, e, fn);

	printf("%sdeepest from %s:\n", prefix, e->rule->word[0]);
	if (f.fn == fn) {
		print_fork(g, e, &f);
		return;
	}
	printf("%s  %6d:", prefix, e->depth);
	print_calls(g, e, e->fn, 0, e->bytes - CODE_RETURN);
	printf("\n");
}

/* Print a stack, and object if too little of it is left. */
static void print_stack(struct graph *g, const struct rule *rule)
{
	int size = (int)strtol(rule->word[1], NULL, 10);
	int left = (int)strtol(rule->word[2], NULL, 10), depth = 0;

	for (size_t i = 3; i < rule->n; i++) {
		const struct depth_entry *e = depth_entry(g, rule->word[i]);

		if (e)
			depth += e->depth;
		else
			depth_object(g, "%s:%u: there is no entry %s", g->rules->path, rule->line,
				     rule->word[i]);
	}
	printf("%s%s stack: %d of %d bytes, %d left (%d must be):", prefix, rule->word[0], depth,
	       size, size - depth, left);
	for (size_t i = 3; i < rule->n; i++) {
		const struct depth_entry *e = depth_entry(g, rule->word[i]);
		int bytes = 0;

		if (e)
			bytes = e->depth;
		if (i > 3)
			printf(" +");
		printf(" %s %d", rule->word[i], bytes);
	}
	printf("\n");
	if (size - depth < left)
		depth_object(g, "the %s stack has %d bytes left, and must have %d", rule->word[0],
			     size - depth, left);
}

/* Print everything. Return the exit status. */
static int stackdepth_report(struct graph *g)
{
	for (size_t i = 0; i < g->rules->n; i++)
		if (g->rules->rule[i].kind == RULE_STACK)
			print_stack(g, &g->rules->rule[i]);
	for (size_t i = 0; i < g->nentry; i++)
		print_paths(g, &g->entry[i]);
	fflush(stdout);
	for (size_t i = 0; i < g->nobjection; i++)
		fprintf(stderr, "%s%s\n", prefix, g->objection[i]);
	return g->nobjection > 0;
}

/* Read a kernel and its rules, and print the report. Return the exit status, or -1 and *why. */
static int stackdepth_run(const char *kernel, const char *file, struct complaint *why)
{
	struct images images;
	struct rules rules;
	struct code code;
	struct fields fields;
	struct graph graph;
	int status;

	images_init(&images);
	if (images_add(&images, kernel, why) || rules_read(&rules, file, why)) {
		images_free(&images);
		return -1;
	}
	status = code_read(&code, images.image[0], why);
	if (status == 0) {
		fields_read(&fields, &code);
		depth_make(&graph, &code, &fields, &rules);
		status = stackdepth_report(&graph);
		depth_free(&graph);
		fields_free(&fields);
	}
	code_free(&code);
	rules_free(&rules);
	images_free(&images);
	return status;
}

int main(int argc, char **argv)
{
	int status = version_asked("stackdepth", usage, argc, argv);
	bool tap = argc > 1 && strcmp(argv[1], "-t") == 0;
	struct complaint why;

	if (status >= 0)
		return status;
	if (argc != 3 + tap || argv[1 + tap][0] == '-') {
		fputs(usage, stderr);
		return 2;
	}
	if (tap)
		prefix = "# ";
	status = stackdepth_run(argv[1 + tap], argv[2 + tap], &why);
	if (status >= 0)
		return status;
	fprintf(stderr, "stackdepth: %s\n", why.text);
	return 2;
}
