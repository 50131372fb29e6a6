/* The commands that the shell runs itself, because they change it. */
#include "userland/sh/sh.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A number that is a whole word; false and a message if it is none. */
static bool read_number(const char *who, const char *s, int *out)
{
	char *end;
	long n = strtol(s, &end, 10);

	if (end == s || *end != '\0' || n < 0 || n > INT_MAX) {
		sh_warn("%s: '%s' is no number", who, s);
		return false;
	}
	*out = (int)n;
	return true;
}

/* cd [DIRECTORY]: to $home, or the root, without one. */
static int run_cd(struct list *args)
{
	const char *dir = args->next ? args->next->s : var_first("home");

	if (args->next && args->next->next) {
		sh_warn("usage: cd [DIRECTORY]");
		return 2;
	}
	if (*dir == '\0')
		dir = "/";
	if (chdir(dir) == 0)
		return 0;
	sh_warn("cd: %s: %s", dir, strerror(errno));
	return 1;
}

/* exit, return [STATUS] */
static int leave(struct list *args, enum flow flow)
{
	int status = sh.status;

	if (args->next && !read_number(args->s, args->next->s, &status))
		status = 2;
	sh.flow = flow;
	return status & 0xff;
}

/* exit [STATUS]: of this process, which may be a child's. */
static int run_exit(struct list *args)
{
	return leave(args, FLOW_EXIT);
}

/* return [STATUS]: from a function, a block or a sourced file. */
static int run_return(struct list *args)
{
	return leave(args, FLOW_RETURN);
}

/* break, continue: of the inmost loop. */
static int leave_loop(struct list *args, enum flow flow)
{
	if (sh.loops == 0) {
		sh_warn("%s: not in a loop", args->s);
		return 1;
	}
	sh.flow = flow;
	return sh.status;
}

/* break: the loop is over. */
static int run_break(struct list *args)
{
	return leave_loop(args, FLOW_BREAK);
}

/* continue: the loop's next turn. */
static int run_continue(struct list *args)
{
	return leave_loop(args, FLOW_CONTINUE);
}

/* true; and exec, which never comes here. */
static int run_true(struct list *args)
{
	(void)args;
	return 0;
}

/* false: without a fork, for conditions. */
static int run_false(struct list *args)
{
	(void)args;
	return 1;
}

/* wait [PID]... */
static int run_wait(struct list *args)
{
	int status = 0, pid;

	if (!args->next)
		return job_wait_all();
	for (args = args->next; args && sh.flow == FLOW_ON; args = args->next)
		status = read_number("wait", args->s, &pid) ? job_wait_for(pid) : 2;
	return status;
}

/* shift [N]: drops the first N of $*. */
static int run_shift(struct list *args)
{
	struct list *l = var_get(&sh.mem, "*");
	int n = 1;

	if (args->next && !read_number("shift", args->next->s, &n))
		return 2;
	for (; n > 0 && l; n--)
		l = l->next;
	var_set("*", l);
	return n > 0;
}

/* eval WORD...: the words, joined by blanks, as commands. */
static int run_eval(struct list *args)
{
	struct text t = {NULL, 0, 0};

	for (args = args->next; args; args = args->next) {
		text_add(&t, args->s);
		text_char(&t, args->next ? ' ' : '\n');
	}
	sh.status = 0;
	if (t.len > 0)
		run_text("eval", t.text, t.len);
	free(t.text);
	return sh.status;
}

/* The file of a `.' command, which is also looked for along $path; false: message given. */
static bool open_script(struct source *in, const char *name)
{
	struct list *dir = strchr(name, '/') ? NULL : var_get(&sh.mem, "path");
	const char *path = name;

	while (!source_file(in, path)) {
		if (!dir || errno != ENOENT) {
			sh_errno(name);
			return false;
		}
		path = arena_join(&sh.mem, arena_join(&sh.mem, dir->s, "/"), name);
		dir = dir->next;
	}
	return true;
}

/* . FILE [ARGUMENT]...: runs the file's commands in this shell. */
static int run_dot(struct list *args)
{
	struct source in;
	struct words *old;

	if (!args->next) {
		sh_warn("usage: . FILE [ARGUMENT]...");
		return 2;
	}
	if (!open_script(&in, args->next->s))
		return 1;
	old = var_save("*");
	var_set("*", args->next->next);
	sh.status = 0;
	run_source(&in);
	var_restore("*", old);
	source_close(&in);
	if (sh.flow == FLOW_RETURN)
		sh.flow = FLOW_ON;
	return sh.status;
}

/* builtin NAME [ARGUMENT]...: even where a function has that name. */
static int run_builtin(struct list *args)
{
	const struct builtin *b = args->next ? builtin_find(args->next->s) : NULL;

	if (b)
		return b->run(args->next);
	sh_warn("usage: builtin NAME [ARGUMENT]...");
	return 2;
}

/* exec stands in the table for its name; command.c runs it. */
static const struct builtin builtins[] = {
	{".", run_dot},		{"break", run_break},	    {"builtin", run_builtin},
	{"cd", run_cd},		{"continue", run_continue}, {"eval", run_eval},
	{"exec", run_true},	{"exit", run_exit},	    {"false", run_false},
	{"return", run_return}, {"rfork", builtin_rfork},   {"shift", run_shift},
	{"true", run_true},	{"wait", run_wait},	    {"whatis", builtin_whatis},
};

#define NBUILTIN (sizeof(builtins) / sizeof(builtins[0]))

/* The builtin of that name; NULL if it is none. */
const struct builtin *builtin_find(const char *name)
{
	size_t i;

	for (i = 0; i < NBUILTIN; i++)
		if (strcmp(builtins[i].name, name) == 0)
			return &builtins[i];
	return NULL;
}

/* Calls `each' with the name of every builtin, in order. */
void builtin_each(void (*each)(const char *name, void *arg), void *arg)
{
	size_t i;

	for (i = 0; i < NBUILTIN; i++)
		each(builtins[i].name, arg);
}
