/* Who calls whom, from code, fields and rules: see graph.h. The search is in deepest.c. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/depth/graph.h"
#include "tools/memory.h"

/* A list of functions. */
struct list {
	size_t *fn;
	size_t n, room;
};

void depth_object(struct graph *g, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	g->objection = memory_grow(g->objection, &g->room_objection, g->nobjection + 1,
				   sizeof(*g->objection));
	g->objection[g->nobjection++] = memory_string(text, strlen(text));
}

/* Find a function that a rule names, or object. */
static size_t graph_named(struct graph *g, const struct rule *rule, const char *name)
{
	struct complaint why;
	size_t fn = code_named(g->code, name, &why);

	if (fn == CODE_NONE)
		depth_object(g, "%s:%u: %s", g->rules->path, rule->line, why.text);
	return fn;
}

static void list_add(struct list *l, size_t fn)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->fn[i] == fn)
			return;
	l->fn = memory_grow(l->fn, &l->room, l->n + 1, sizeof(*l->fn));
	l->fn[l->n++] = fn;
}

/* Add what a word of a rule means: the functions in a field, or one. */
static void list_word(struct graph *g, struct list *l, const struct rule *rule, const char *word)
{
	const struct field *field = fields_named(g->fields, word);
	size_t fn;

	if (field) {
		for (size_t i = 0; i < field->n; i++)
			list_add(l, field->fn[i]);
		return;
	}
	if (strchr(word, '.') && !strchr(word, ':')) {
		depth_object(g, "%s:%u: no function is in a field %s", g->rules->path, rule->line,
			     word);
		return;
	}
	fn = graph_named(g, rule, word);
	if (fn != CODE_NONE)
		list_add(l, fn);
}

/*
 * Return whether a name in a rule, FUNCTION or FILE:FUNCTION, means a call's function: that of the
 * source, which need not have code of its own, so that code_named() would not find it.
 */
static bool graph_means(const char *name, const struct code_call *c)
{
	const char *colon = strrchr(name, ':');
	size_t n, len;

	if (!colon)
		return strcmp(name, c->in) == 0;
	if (strcmp(colon + 1, c->in) != 0)
		return false;
	if (!c->file)
		return false;
	n = (size_t)(colon - name);
	len = strlen(c->file);
	return len >= n && memcmp(c->file + len - n, name, n) == 0;
}

/* Return the rule for a call through a pointer, or NULL. */
static const struct rule *rule_of(const struct graph *g, const struct code_call *c)
{
	for (size_t i = 0; i < g->rules->n; i++) {
		const struct rule *r = &g->rules->rule[i];

		if (r->kind == RULE_CALLS && graph_means(r->word[0], c))
			return r;
	}
	return NULL;
}

/* Add the addresses of functions that a function has as numbers. */
static void list_taken(const struct graph *g, struct list *l, const struct code_function *f)
{
	for (size_t i = 0; i < f->ntaken; i++)
		list_add(l, code_start(g->code, f->taken[i]));
}

/* Add what the callers of function fn pass to it, or if the call was inlined, what is there. */
static void list_callers(const struct graph *g, struct list *l, size_t fn,
			 const struct code_call *c)
{
	const struct code_function *f = &g->code->fn[fn];

	if (strcmp(f->name, c->in) != 0)
		list_taken(g, l, f);
	for (size_t i = 0; i < g->code->n; i++) {
		const struct code_function *caller = &g->code->fn[i];
		bool calls = false;

		for (size_t k = 0; k < caller->ncall; k++)
			calls |= caller->call[k].to == f->start;
		if (calls)
			list_taken(g, l, caller);
	}
}

static void add_edge(struct depth_node *node, struct depth_edge edge)
{
	node->edge = memory_grow(node->edge, &node->room, node->n + 1, sizeof(*node->edge));
	node->edge[node->n++] = edge;
}

/* Add the edges of a call through a pointer. */
static void add_indirect(struct graph *g, size_t fn, const struct code_call *c, bool *marked)
{
	const struct rule *rule = rule_of(g, c);
	const char *file = c->file;
	struct list l = {0};

	if (!file)
		file = g->code->fn[fn].name;
	if (!rule) {
		depth_object(g, "%s:%u: %s calls through a pointer: add \"calls %s FIELD\" to %s, "
			     "with the STRUCT.MEMBER or the variable that the pointer is in",
			     file, c->line, c->in, c->in, g->rules->path);
		return;
	}
	marked[rule - g->rules->rule] = true;
	for (size_t i = 1; i < rule->n; i++)
		if (strcmp(rule->word[i], "callers") == 0)
			list_callers(g, &l, fn, c);
		else
			list_word(g, &l, rule, rule->word[i]);
	for (size_t i = 0; i < l.n; i++)
		add_edge(&g->node[fn], (struct depth_edge){.at = c->at, .to = l.fn[i]});
	free(l.fn);
}

/* Add the edges of all calls of a function. */
static void add_calls(struct graph *g, size_t fn, bool *marked)
{
	const struct code_function *f = &g->code->fn[fn];

	for (size_t i = 0; i < f->ncall; i++) {
		const struct code_call *c = &f->call[i];
		size_t to;

		if (!c->to) {
			add_indirect(g, fn, c, marked);
			continue;
		}
		to = code_at(g->code, c->to);
		if (to == CODE_NONE)
			depth_object(g, "%s calls %08x, where there is no function", f->name,
				     c->to);
		else
			add_edge(&g->node[fn],
				 (struct depth_edge){.at = c->at, .to = to, .direct = true});
	}
}

/* Add what the pads at the beginning of functions may call. */
static void add_pads(struct graph *g, const struct rule *rule)
{
	for (size_t i = 0; i < rule->n; i++) {
		size_t to = graph_named(g, rule, rule->word[i]);

		if (to == CODE_NONE)
			continue;
		for (size_t fn = 0; fn < g->code->n; fn++)
			if (g->code->fn[fn].pad)
				add_edge(&g->node[fn], (struct depth_edge){.at = CODE_RETURN,
									   .to = to,
									   .direct = true});
	}
}

/* Put functions in a field by rule. */
static void graph_hold(struct graph *g, const struct rule *rule)
{
	for (size_t i = 1; i < rule->n; i++) {
		size_t fn = graph_named(g, rule, rule->word[i]);

		if (fn != CODE_NONE)
			fields_add(g->fields, rule->word[0], fn);
	}
}

/* Let a function be recursive as often as a rule says. */
static void graph_allow(struct graph *g, const struct rule *rule)
{
	size_t fn = graph_named(g, rule, rule->word[0]);
	unsigned bound = (unsigned)strtoul(rule->word[1], NULL, 10);

	if (fn == CODE_NONE)
		return;
	if (bound < 1 || bound > 15 || g->bits == 64) {
		depth_object(g, "%s:%u: bounds are from 1 to 15, of 16 functions at most",
			     g->rules->path, rule->line);
		return;
	}
	g->node[fn].bound = bound;
	g->node[fn].bit = g->bits;
	g->bits += 4;
}

/* Leave calls of functions out that end the machine. */
static void graph_end(struct graph *g, const struct rule *rule)
{
	for (size_t i = 0; i < rule->n; i++) {
		size_t fn = graph_named(g, rule, rule->word[i]);

		if (fn != CODE_NONE)
			g->node[fn].ends = true;
	}
}

/* Return whether a rule of some kind has a word. */
static bool graph_listed(const struct graph *g, enum rule_kind kind, const char *word)
{
	for (size_t i = 0; i < g->rules->n; i++) {
		const struct rule *r = &g->rules->rule[i];

		if (r->kind != kind)
			continue;
		for (size_t k = 0; k < r->n; k++)
			if (strcmp(r->word[k], word) == 0)
				return true;
	}
	return false;
}

/* Restrict what a function calls in an entry: "CALLER:TO,TO". The word is cut up in place. */
static void restrict_calls(struct graph *g, struct depth_entry *e, char *word)
{
	char *colon = strrchr(word, ':'), *rest = NULL;
	struct depth_node own = {0};
	struct list to = {0};
	size_t fn;

	if (!colon) {
		depth_object(g, "%s:%u: \"%s\" is not CALLER:TO", g->rules->path, e->rule->line,
			     word);
		return;
	}
	*colon = 0;
	fn = graph_named(g, e->rule, word);
	for (char *w = strtok_r(colon + 1, ",", &rest); w; w = strtok_r(NULL, ",", &rest))
		list_word(g, &to, e->rule, w);
	if (fn == CODE_NONE) {
		free(to.fn);
		return;
	}
	for (size_t i = 0; i < g->code->fn[fn].ncall; i++) {
		const struct code_call *c = &g->code->fn[fn].call[i];
		size_t direct = CODE_NONE;

		if (c->to)
			direct = code_at(g->code, c->to);
		for (size_t k = 0; k < to.n; k++)
			if (!c->to || to.fn[k] == direct)
				add_edge(&own, (struct depth_edge){.at = c->at, .to = to.fn[k]});
	}
	free(to.fn);
	own.bound = g->node[fn].bound;
	own.bit = g->node[fn].bit;
	e->own = memory_grow(e->own, &e->room_own, e->nown + 1, sizeof(*e->own));
	e->of = memory_grow(e->of, &e->room_of, e->nown + 1, sizeof(*e->of));
	e->own[e->nown] = own;
	e->of[e->nown++] = fn;
}

/* Add an entry. */
static void add_entry(struct graph *g, const struct rule *rule)
{
	struct depth_entry e = {
		.rule = rule,
		.bytes = (int)strtol(rule->word[1], NULL, 10),
		.fn = graph_named(g, rule, rule->word[2]),
	};

	if (e.fn == CODE_NONE)
		return;
	for (size_t i = 3; i < rule->n; i++)
		restrict_calls(g, &e, rule->word[i]);
	g->entry = memory_grow(g->entry, &g->room_entry, g->nentry + 1, sizeof(*g->entry));
	g->entry[g->nentry++] = e;
}

struct depth_entry *depth_entry(const struct graph *g, const char *name)
{
	for (size_t i = 0; i < g->nentry; i++)
		if (strcmp(g->entry[i].rule->word[0], name) == 0)
			return &g->entry[i];
	return NULL;
}

/* Let an entry come on top of a function, where that is deepest. */
static void add_trap(struct graph *g, const struct rule *rule)
{
	size_t fn = graph_named(g, rule, rule->word[0]);
	const struct depth_entry *e = depth_entry(g, rule->word[1]);

	if (!e)
		depth_object(g, "%s:%u: there is no entry %s", g->rules->path, rule->line,
			     rule->word[1]);
	else if (fn != CODE_NONE)
		add_edge(&g->node[fn], (struct depth_edge){.at = g->code->fn[fn].own,
							   .to = (size_t)(e - g->entry),
							   .entry = true});
}

/* Mark the functions that some pointer is known to have. */
static void mark_fields(const struct graph *g, bool *known)
{
	for (size_t i = 0; i < g->fields->n; i++)
		for (size_t k = 0; k < g->fields->field[i].n; k++)
			known[g->fields->field[i].fn[k]] = true;
	for (size_t fn = 0; fn < g->code->n; fn++)
		for (size_t k = 0; k < g->node[fn].n; k++)
			if (!g->node[fn].edge[k].direct && !g->node[fn].edge[k].entry)
				known[g->node[fn].edge[k].to] = true;
	for (size_t i = 0; i < g->nentry; i++)
		known[g->entry[i].fn] = true;
}

/* Object to functions whose address is in code, but in no field. */
static void check_taken(struct graph *g)
{
	bool *known = memory_zeroed(g->code->n, sizeof(*known));

	mark_fields(g, known);
	for (size_t fn = 0; fn < g->code->n; fn++) {
		const struct code_function *f = &g->code->fn[fn];

		for (size_t i = 0; i < f->ntaken; i++) {
			size_t to = code_start(g->code, f->taken[i]);

			if (known[to] || graph_listed(g, RULE_IGNORE, g->code->fn[to].name))
				continue;
			known[to] = true;
			depth_object(g, "%s takes the address of %s, which is in no field: "
				     "add \"holds FIELD %s\" to %s", f->name,
				     g->code->fn[to].name, g->code->fn[to].name, g->rules->path);
		}
	}
	free(known);
}

/* Object to functions whose stack pointer is not known. */
static void check_lost(struct graph *g)
{
	for (size_t i = 0; i < g->code->n; i++)
		if (g->code->fn[i].lost && !graph_listed(g, RULE_SWITCHES, g->code->fn[i].name))
			depth_object(g, "%s: its stack pointer cannot be followed (an array of "
				     "variable size?); if it changes to another stack, add "
				     "\"switches %s\" to %s", g->code->fn[i].name,
				     g->code->fn[i].name, g->rules->path);
}

/* Do for each rule of a kind. */
static void each_rule(struct graph *g, enum rule_kind kind,
		      void (*fn)(struct graph *g, const struct rule *rule))
{
	for (size_t i = 0; i < g->rules->n; i++)
		if (g->rules->rule[i].kind == kind)
			fn(g, &g->rules->rule[i]);
}

/* Object to rules for calls that there are not. */
static void check_rules(struct graph *g, const bool *marked)
{
	for (size_t i = 0; i < g->rules->n; i++)
		if (g->rules->rule[i].kind == RULE_CALLS && !marked[i])
			depth_object(g, "%s:%u: %s calls nothing through a pointer", g->rules->path,
				     g->rules->rule[i].line, g->rules->rule[i].word[0]);
}

void depth_make(struct graph *g, const struct code *c, struct fields *f, const struct rules *r)
{
	bool *marked = memory_zeroed(r->n + 1, sizeof(*marked));

	*g = (struct graph){.code = c, .fields = f, .rules = r};
	g->node = memory_zeroed(c->n, sizeof(*g->node));
	each_rule(g, RULE_HOLDS, graph_hold);
	each_rule(g, RULE_RECURSION, graph_allow);
	each_rule(g, RULE_ENDS, graph_end);
	each_rule(g, RULE_PADS, add_pads);
	for (size_t i = 0; i < c->n; i++)
		add_calls(g, i, marked);
	each_rule(g, RULE_ENTRY, add_entry);
	each_rule(g, RULE_TRAPS, add_trap);
	check_rules(g, marked);
	check_taken(g);
	check_lost(g);
	for (size_t i = 0; i < g->nentry; i++) {
		struct depth_entry *e = &g->entry[i];

		e->answers = memory_zeroed(c->n, sizeof(*e->answers));
		e->depth = e->bytes - CODE_RETURN + depth_deepest(g, e, e->fn, 0)->depth;
	}
	free(marked);
}

void depth_free(struct graph *g)
{
	for (size_t i = 0; i < g->code->n; i++)
		free(g->node[i].edge);
	free(g->node);
	for (size_t i = 0; i < g->nentry; i++) {
		for (size_t k = 0; k < g->code->n; k++)
			free(g->entry[i].answers[k].answer);
		for (size_t k = 0; k < g->entry[i].nown; k++)
			free(g->entry[i].own[k].edge);
		free(g->entry[i].answers);
		free(g->entry[i].own);
		free(g->entry[i].of);
	}
	free(g->entry);
	for (size_t i = 0; i < g->nobjection; i++)
		free(g->objection[i]);
	free(g->objection);
}
