/*
 * Functions, and blocks that run where a word holds their text. Both are kept as text and
 * parsed when they first run.
 */
#include "userland/sh/sh.h"
#include <stdlib.h>
#include <string.h>

/* How deeply functions and blocks may be nested: the process's stack is finite. */
#define DEPTH_MAX 64

struct function {
	struct function *next; /* by name */
	char *name;
	unsigned users;	  /* the list, and each call that is running */
	struct arena mem; /* holds the name and all that follows */
	const char *file;
	const char *text;
	int line;
	struct node *body; /* NULL until the first call */
};

static struct function *functions; /* sorted */

/* Drop one use of the function; the last one frees it. */
static void function_put(struct function *f)
{
	if (--f->users > 0)
		return;
	arena_free(&f->mem);
	free(f);
}

/* Return the link that points to the function, or to where it would be inserted. */
static struct function **function_place(const char *name)
{
	struct function **p = &functions;

	while (*p && strcmp((*p)->name, name) < 0)
		p = &(*p)->next;
	return p;
}

/* Return the function of that name, or NULL. */
struct function *function_find(const char *name)
{
	struct function *f = *function_place(name);

	return f && strcmp(f->name, name) == 0 ? f : NULL;
}

/* Return the function's block as it was written. */
const char *function_text(const struct function *f)
{
	return f->text;
}

/* Call `each' with the name of every function, in order. */
void function_each(void (*each)(const char *name, void *arg), void *arg)
{
	const struct function *f;

	for (f = functions; f; f = f->next)
		each(f->name, arg);
}

/*
 * Define a function as a block's text, which began in that line; NULL removes it. A running
 * function that is replaced lives until it returns.
 */
void function_set(const char *name, const char *text, int line)
{
	struct function **p = function_place(name), *old = function_find(name), *f;

	if (old) {
		*p = old->next;
		function_put(old);
	}
	if (!text)
		return;
	f = need(calloc(1, sizeof(*f)));
	f->users = 1;
	f->line = line;
	f->name = arena_text(&f->mem, name, strlen(name));
	f->text = arena_text(&f->mem, text, strlen(text));
	if (sh.file)
		f->file = arena_text(&f->mem, sh.file, strlen(sh.file));
	f->next = *p;
	*p = f;
}

/*
 * Parse a block's text, which began in that line of that file. Return NULL after a syntax
 * error.
 */
static struct node *block_parse(struct arena *mem, const char *text, const char *file, int line)
{
	struct source in;
	struct node *n;

	source_string(&in, file, text, strlen(text));
	in.line = line;
	in.mem = mem;
	n = parse_line(&in);
	skip_space(&in);
	if (peek(&in) != -1)
		syntax_near(&in);
	if (in.failed)
		n = NULL;
	source_close(&in);
	return n;
}

/* Run a body with its own $*. A return ends it. */
static int body_run(struct node *body, const struct list *args)
{
	struct words *old;

	if (sh.depth >= DEPTH_MAX) {
		sh_warn("functions are nested too deeply");
		return 1;
	}
	sh.depth++;
	old = var_save("*");
	var_set("*", args);
	run(body, 0);
	var_restore("*", old);
	sh.depth--;
	if (sh.flow == FLOW_RETURN)
		sh.flow = FLOW_ON;
	return sh.status;
}

/* Call a function, which may redefine itself meanwhile. */
int function_run(struct function *f, const struct list *args)
{
	const char *file = sh.file;
	int line = sh.line, status;

	if (!f->body)
		f->body = block_parse(&f->mem, f->text, f->file, f->line);
	if (!f->body)
		return 2;
	f->users++;
	sh.file = f->file;
	status = body_run(f->body, args);
	sh.file = file;
	sh.line = line;
	function_put(f);
	return status;
}

/* Run a block that came as a word. Its lines are counted from the line that runs it. */
int block_run(const char *text, const struct list *args)
{
	struct node *body = block_parse(&sh.mem, text, sh.file, sh.line);

	return body ? body_run(body, args) : 2;
}
