/* whatis: what a name is to the shell, in a form that could be typed to make it so. */
#include "userland/sh/sh.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Append name=word, or name=(words). */
static void put_variable(struct text *t, const char *name, const struct list *l)
{
	bool many = l->next != NULL;

	text_add(t, name);
	text_add(t, many ? "=(" : "=");
	for (; l; l = l->next) {
		text_quoted(t, l->s, strlen(l->s));
		if (l->next)
			text_char(t, ' ');
	}
	text_add(t, many ? ")\n" : "\n");
}

/* Append the path of the program that the name would run. Return false if there is none. */
static bool put_program(struct text *t, const char *name)
{
	struct list *dir = var_get(&sh.mem, "path");
	char *path;

	for (; dir; dir = dir->next) {
		path = arena_join(&sh.mem, arena_join(&sh.mem, dir->s, "/"), name);
		if (access(path, X_OK) == 0) {
			text_add(t, path);
			text_char(t, '\n');
			return true;
		}
	}
	return false;
}

/* Append everything that the name is. Return false if it is nothing. */
static bool put_all(struct text *t, const char *name)
{
	struct list *l = var_get(&sh.mem, name);
	struct function *f = function_find(name);

	if (l)
		put_variable(t, name, l);
	if (f) {
		text_add(t, "fn ");
		text_add(t, name);
		text_char(t, ' ');
		text_add(t, function_text(f));
		text_char(t, '\n');
	} else if (builtin_find(name)) {
		text_add(t, "builtin ");
		text_add(t, name);
		text_char(t, '\n');
	} else {
		return put_program(t, name) || l != NULL;
	}
	return true;
}

/* whatis NAME...: the status is 1 if one of the names is nothing. */
int builtin_whatis(struct list *args)
{
	struct text t = {NULL, 0, 0};
	int status = 0;

	for (args = args->next; args; args = args->next) {
		if (!put_all(&t, args->s)) {
			sh_warn("whatis: %s: not found", args->s);
			status = 1;
		}
	}
	if (t.len > 0 && write(1, t.text, t.len) < 0)
		status = 1;
	free(t.text);
	return status;
}
