/*
 * Variables: lists of words by name, those that the shell computes, and the environment.
 * Optimize: speed.
 */
#include "userland/sh/sh.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The length of the hash table. */
#define NBUCKET 32

struct var {
	struct var *next;
	struct words *value; /* NULL: not set, as good as empty */
	bool own;	     /* it is the shell's: programs do not get it */
	char name[];
};

static struct var *table[NBUCKET];

/* Return the table's chain that a name belongs to. */
static unsigned hash(const char *s)
{
	unsigned h = 0;

	while (*s != '\0')
		h = h * 31 + (unsigned char)*s++;
	return h % NBUCKET;
}

/* Return whether a variable is the shell's own. */
static bool is_own(const char *name)
{
	static const char *const own[] = {"*", "0", "ifs", "path", "prompt"};
	size_t i;

	for (i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (strcmp(name, own[i]) == 0)
			return true;
	return false;
}

/* Return the variable's cell, which is made if there is none. Cells are never removed. */
static struct var *var_cell(const char *name)
{
	struct var **head = &table[hash(name)], *v;

	for (v = *head; v; v = v->next)
		if (strcmp(v->name, name) == 0)
			return v;
	v = need(malloc(sizeof(*v) + strlen(name) + 1));
	strcpy(v->name, name);
	v->value = NULL;
	v->own = is_own(name);
	v->next = *head;
	*head = v;
	return v;
}

/* Return how many words the pieces have, and add the bytes of their text to *size. */
static unsigned pieces_measure(const struct piece *p, size_t *size)
{
	const struct list *l;
	unsigned n = 0;

	for (; p; p = p->next) {
		n += list_length(p->list);
		for (l = p->list; l; l = l->next)
			*size += strlen(l->s) + 1;
		if (p->whole) {
			n += p->whole->n;
			*size += p->whole->size;
		}
	}
	return n;
}

/* Append words to those that have their text at `text'; return where it ends. */
static char *words_add(struct words *to, const struct words *from, char *text)
{
	size_t moved = (size_t)(text - from->w[0]);
	char **w = &to->w[to->n];
	unsigned i;

	memcpy(text, from->w[0], from->size);
	for (i = 0; i < from->n; i++)
		w[i] = from->w[i] + moved;
	to->n += from->n;
	return text + from->size;
}

/* Copy pieces into one piece of memory: the pointers, then the text. NULL if there are no words. */
static struct words *words_new(const struct piece *p)
{
	size_t size = 0;
	unsigned n = pieces_measure(p, &size);
	const struct list *l;
	struct words *w;
	char *text;

	if (n == 0)
		return NULL;
	w = need(malloc(sizeof(*w) + n * sizeof(char *) + size));
	w->n = 0;
	w->size = size;
	text = (char *)&w->w[n];
	for (; p; p = p->next) {
		if (p->whole)
			text = words_add(w, p->whole, text);
		for (l = p->list; l; l = l->next) {
			w->w[w->n++] = text;
			text = stpcpy(text, l->s) + 1;
		}
	}
	return w;
}

/*
 * Set the variable to a copy of the words; none unset it. They may come from the old value, which
 * is therefore freed last.
 */
void var_set_pieces(const char *name, const struct piece *value)
{
	struct var *v = var_cell(name);
	struct words *w = words_new(value);

	free(v->value);
	v->value = w;
}

/* Set the variable to a copy of the list. */
void var_set(const char *name, const struct list *value)
{
	struct piece p = {.list = value};

	var_set_pieces(name, &p);
}

/* Set the variable to a single word. */
void var_set_word(const char *name, const char *s)
{
	struct list l = {NULL, (char *)s};

	var_set(name, &l);
}

/* Take the variable's value away, for var_restore(). It is unset until then. */
struct words *var_save(const char *name)
{
	struct var *v = var_cell(name);
	struct words *old = v->value;

	v->value = NULL;
	return old;
}

/* Put back what var_save() took. What was set meanwhile is lost. */
void var_restore(const char *name, struct words *old)
{
	struct var *v = var_cell(name);

	free(v->value);
	v->value = old;
}

/* Return a number as a list of one word. */
struct list *list_number(struct arena *a, int n)
{
	char s[16];

	return list_new(a, arena_text(a, s, (size_t)snprintf(s, sizeof(s), "%d", n)));
}

/*
 * Return element `at' of $*, counted from 1, as a list. It is empty if there is no such
 * element.
 */
static struct list *argument(struct arena *a, unsigned long at)
{
	const struct words *w = var_cell("*")->value;

	if (!w || at == 0 || at > w->n)
		return NULL;
	return list_new(a, arena_text(a, w->w[at - 1], strlen(w->w[at - 1])));
}

/* Return a copy of words as a list; the cells are in one piece of memory, and the text is. */
static struct list *words_list(struct arena *a, const struct words *w)
{
	struct list *l = arena_alloc(a, w->n * sizeof(*l));
	char *text = arena_alloc(a, w->size);
	size_t moved = (size_t)(text - w->w[0]);
	unsigned i;

	memcpy(text, w->w[0], w->size);
	for (i = 0; i < w->n; i++)
		l[i] = (struct list){&l[i + 1], w->w[i] + moved};
	l[w->n - 1].next = NULL;
	return l;
}

/* Return whether a variable is not stored, but computed: $status, $pid, $apid, $1 and up. */
static bool is_computed(const char *name)
{
	if (isdigit((unsigned char)name[0]))
		return strcmp(name, "0") != 0;
	return strcmp(name, "status") == 0 || strcmp(name, "pid") == 0 || strcmp(name, "apid") == 0;
}

/* Return a copy of the words of a variable that is computed. */
static struct list *compute(struct arena *a, const char *name)
{
	if (strcmp(name, "status") == 0)
		return list_number(a, sh.status);
	if (strcmp(name, "pid") == 0)
		return list_number(a, getpid());
	if (strcmp(name, "apid") == 0)
		return job_last() ? list_number(a, job_last()) : NULL;
	return argument(a, strtoul(name, NULL, 10));
}

/* Return a variable's words, which are valid until it is set. NULL: there are none, or computed. */
const struct words *var_words(const char *name)
{
	return is_computed(name) ? NULL : var_cell(name)->value;
}

/* Return a copy of a variable's words. */
struct list *var_get(struct arena *a, const char *name)
{
	const struct words *w = var_words(name);

	if (w)
		return words_list(a, w);
	return is_computed(name) ? compute(a, name) : NULL;
}

/* Return a variable's first word, or "". It is valid until the variable is set again. */
const char *var_first(const char *name)
{
	const struct words *w = var_cell(name)->value;

	return w && w->n > 0 ? w->w[0] : "";
}

/* Set $path to the parts of PATH between its colons. Empty parts are dropped. */
static void import_path(const char *s)
{
	struct mark m = arena_mark(&sh.mem);
	struct list *l = NULL, **tail = &l;
	size_t n;

	for (; *s != '\0'; s += n + (s[n] == ':')) {
		n = strcspn(s, ":");
		if (n > 0)
			tail = list_append(tail, list_new(&sh.mem, arena_text(&sh.mem, s, n)));
	}
	if (l)
		var_set("path", l);
	arena_release(&sh.mem, m);
}

/* Return whether a name of the environment can be a variable's. */
static bool is_name(const char *s, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (!is_name_char((unsigned char)s[i]))
			return false;
	return n > 0 && !isdigit((unsigned char)s[0]);
}

/* Set variables of one word from the environment; PATH becomes the list $path. */
void var_import(char **env)
{
	char *name;
	size_t n;

	for (; env && *env; env++) {
		n = strcspn(*env, "=");
		if ((*env)[n] == '\0' || !is_name(*env, n))
			continue;
		name = need(strndup(*env, n));
		if (strcmp(name, "PATH") == 0)
			import_path(*env + n + 1);
		else
			var_set_word(name, *env + n + 1);
		free(name);
	}
}

/* Return PATH=... from $path. */
static char *export_path(struct arena *a)
{
	const struct words *w = var_cell("path")->value;
	char *s = arena_join(a, "PATH=", "");
	unsigned i;

	for (i = 0; w && i < w->n; i++)
		s = arena_join(a, arena_join(a, s, i > 0 ? ":" : ""), w->w[i]);
	return s;
}

/* Return NAME=VALUE. */
static char *setting(struct arena *a, const char *name, const char *value)
{
	size_t n = strlen(name), nvalue = strlen(value);
	char *s = arena_alloc(a, n + 1 + nvalue + 1);

	memcpy(s, name, n);
	s[n] = '=';
	memcpy(s + n + 1, value, nvalue);
	return s;
}

/*
 * Return the environment for a program: NAME=value strings, ended with NULL. Programs get variables
 * that have one word.
 */
char **var_export(struct arena *a)
{
	struct list *l = list_new(a, export_path(a)), **tail = &l->next;
	const struct var *v;
	unsigned i;

	for (i = 0; i < NBUCKET; i++)
		for (v = table[i]; v; v = v->next)
			if (!v->own && v->value && v->value->n == 1)
				tail = list_append(
					tail, list_new(a, setting(a, v->name, v->value->w[0])));
	return list_argv(a, l);
}
