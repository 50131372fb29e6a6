/*
 * Who calls whom, with the bytes of stack in use at each call, and the deepest way through it.
 * The graph comes from the code (code.h), the fields that pointers are in (fields.h) and the rules
 * (rules.h); each disagreement among them is an objection. So a figure is an upper bound as long as
 * there are no objections: what is left out has a rule that says so.
 */
#ifndef TOOLS_DEPTH_GRAPH_H
#define TOOLS_DEPTH_GRAPH_H

#include "tools/depth/code.h"
#include "tools/depth/fields.h"
#include "tools/depth/rules.h"

struct depth_edge {
	int at;	   /* bytes in use at the call, from the caller's return address on */
	size_t to; /* index of a function; or, if entry is set, of an entry */
	bool entry;  /* an interrupt or a fault may come there */
	bool direct; /* not through a pointer */
};

struct depth_node {
	struct depth_edge *edge;
	size_t n, room;
	unsigned bound; /* of activations at once, for a function that may be recursive; or 0 */
	int bit;	/* where they are counted in a struct graph's state */
	bool ends;	/* calls of it are left out */
	bool told;	/* it was objected to for recursion */
};

/* A function's deepest path in a state, which is how often each function with a bound is active. */
struct depth_answer {
	uint64_t state;
	bool busy; /* the function is on the path that is being followed */
	int depth; /* bytes, from its return address on */
	const struct depth_edge *next; /* NULL: the function itself is deepest */
};

struct depth_answers {
	struct depth_answer *answer;
	size_t n, room;
};

/* An entry into the kernel, and what its calls lead to. */
struct depth_entry {
	const struct rule *rule;
	size_t fn;
	int bytes; /* that the processor, and the code before it, have put on the stack */
	int depth; /* the deepest path, BYTES included */
	struct depth_node *own; /* of functions whose calls the entry restricts */
	size_t *of, nown, room_own, room_of; /* of[i] is the function of own[i] */
	struct depth_answers *answers; /* by function */
};

struct graph {
	const struct code *code;
	struct fields *fields;
	const struct rules *rules;
	struct depth_node *node; /* by function */
	struct depth_entry *entry;
	size_t nentry, room_entry;
	int bits;	    /* of the state that are in use */
	char **objection; /* lines for the user */
	size_t nobjection, room_objection;
};

/* Make the graph, and find the depth of each entry. What is wrong is in g->objection. */
void depth_make(struct graph *g, const struct code *c, struct fields *f, const struct rules *r);
void depth_free(struct graph *g);

/* Add an objection. */
void depth_object(struct graph *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Return the entry of a name, or NULL. */
struct depth_entry *depth_entry(const struct graph *g, const char *name);

/*
 * Find the deepest path from a function on, in an entry and a state, of which 0 is that nothing is
 * active. The answer lasts until the next call; by `next' of each the path can be walked.
 */
const struct depth_answer *depth_deepest(struct graph *g, struct depth_entry *e,
						size_t fn, uint64_t state);

/* Return the edges of a function in an entry. */
const struct depth_node *depth_calls(const struct graph *g, const struct depth_entry *e,
				     size_t fn);

/* Return the state after a function has been entered once more. */
uint64_t depth_entered(const struct graph *g, size_t fn, uint64_t state);

#endif
