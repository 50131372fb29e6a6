/* The built-in commands: the shell runs them itself because they change the shell. */
#include "userland/sh/sh.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Read a word that is a number from 0 to INT_MAX. Return false, after a message, if it is
 * not.
 */
static bool read_number(const char *who, const char *s, int *out)
{
	char *end;
	long n = strtol(s, &end, 10);

	if (end == s || *end != '\0' || n < 0 || n > INT_MAX) {
		sh_warn("%s: '%s' is not a number", who, s);
		return false;
	}
	*out = (int)n;
	return true;
}

/* Change the directory, and note in `before' where that was. Return 0, or 1 after a message. */
static int change_dir(const char *dir, char before[PATH_MAX])
{
	char here[PATH_MAX];

	if (!getcwd(here, sizeof(here)))
		here[0] = '\0';
	if (chdir(dir) < 0) {
		sh_warn("cd: %s: %s", dir, strerror(errno));
		return 1;
	}
	strcpy(before, here);
	return 0;
}

/*
 * cd [DIRECTORY | -]: without an argument, go to $home, or to the root if that is not set; with a
 * minus sign, back to where the last cd was left, which is printed.
 */
static int run_cd(struct list *args)
{
	static char before[PATH_MAX];
	const char *dir = args->next ? args->next->s : var_first("home");

	if (args->next && args->next->next) {
		sh_warn("usage: cd [DIRECTORY]");
		return 2;
	}
	if (*dir == '\0')
		dir = "/";
	if (strcmp(dir, "-") != 0)
		return change_dir(dir, before);
	if (before[0] == '\0') {
		sh_warn("cd: there was no directory before");
		return 1;
	}
	dir = arena_text(&sh.mem, before, strlen(before));
	dprintf(1, "%s\n", dir);
	return change_dir(dir, before);
}

/* End a script or a function with the status that the arguments name, or else the last one. */
static int leave(struct list *args, enum flow flow)
{
	int status = sh.status;

	if (args->next && !read_number(args->s, args->next->s, &status))
		status = 2;
	sh.flow = flow;
	return status & 0xff;
}

/* exit [STATUS]: end this process, which in a pipeline is a child of the shell. */
static int run_exit(struct list *args)
{
	return leave(args, FLOW_EXIT);
}

/* return [STATUS]: end a function, a block or a sourced file. */
static int run_return(struct list *args)
{
	return leave(args, FLOW_RETURN);
}

/* Leave the body of the innermost loop: its runner looks at sh.flow. */
static int leave_loop(struct list *args, enum flow flow)
{
	if (sh.loops == 0) {
		sh_warn("%s: not in a loop", args->s);
		return 1;
	}
	sh.flow = flow;
	return sh.status;
}

/* break: end the loop. */
static int run_break(struct list *args)
{
	return leave_loop(args, FLOW_BREAK);
}

/* continue: begin the next turn of the loop. */
static int run_continue(struct list *args)
{
	return leave_loop(args, FLOW_CONTINUE);
}

/* true. The table names it for exec, too, which command.c runs before it looks here. */
static int run_true(struct list *args)
{
	(void)args;
	return 0;
}

/* false: built in so that a condition costs no fork. */
static int run_false(struct list *args)
{
	(void)args;
	return 1;
}

/* wait [PID]...: wait for these processes, or for all in the background. ^C ends the wait. */
static int run_wait(struct list *args)
{
	int status = 0, pid;

	if (!args->next)
		return job_wait_all();
	for (args = args->next; args && sh.flow == FLOW_ON; args = args->next)
		status = read_number("wait", args->s, &pid) ? job_wait_for(pid) : 2;
	return status;
}

/* Return the process that the only argument names; 0: there is none; -1, after a message: wrong. */
static int process_named(struct list *args)
{
	int pid = 0;

	if (!args->next)
		return 0;
	if (args->next->next) {
		sh_warn("usage: %s [PID]", args->s);
		return -1;
	}
	return read_number(args->s, args->next->s, &pid) ? pid : -1;
}

/* fg [PID]: go on with what has stopped, or with what runs in the background, and wait for it. */
static int run_fg(struct list *args)
{
	int pid = process_named(args);

	return pid < 0 ? 2 : job_foreground(pid);
}

/* bg [PID]: go on in the background with what has stopped. */
static int run_bg(struct list *args)
{
	int pid = process_named(args);

	return pid < 0 ? 2 : job_go_on(pid);
}

/* jobs: show what has stopped, and what runs in the background. */
static int run_jobs(struct list *args)
{
	if (args->next) {
		sh_warn("usage: jobs");
		return 2;
	}
	return job_show();
}

/*
 * shift [N]: drop the first N words of $*, 1 by default. The status is 1 if there were
 * fewer.
 */
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

/* eval WORD...: run the words, joined by blanks, as commands. */
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

/*
 * Open the file of a `.' command. A name without a slash is looked for in the current
 * directory and then along $path. Return false after a message.
 */
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

/* . FILE [ARGUMENT]...: run the commands of the file in this shell. */
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

/* builtin NAME [ARGUMENT]...: run the builtin even if a function has the same name. */
static int run_builtin(struct list *args)
{
	const struct builtin *b = args->next ? builtin_find(args->next->s) : NULL;

	if (b)
		return b->run(args->next);
	sh_warn("usage: builtin NAME [ARGUMENT]...");
	return 2;
}

/* All builtins, in the order in which completion shows them. */
static const struct builtin builtins[] = {
	{".", run_dot},		{"bg", run_bg},		    {"break", run_break},
	{"builtin", run_builtin}, {"cd", run_cd},		    {"continue", run_continue},
	{"eval", run_eval},	{"exec", run_true},	    {"exit", run_exit},
	{"false", run_false},	{"fg", run_fg},		    {"history", builtin_history},
	{"jobs", run_jobs},	{"return", run_return},	    {"rfork", builtin_rfork},
	{"shift", run_shift},	{"true", run_true},	    {"wait", run_wait},
	{"whatis", builtin_whatis},
};

#define NBUILTIN (sizeof(builtins) / sizeof(builtins[0]))

/* Return the builtin of that name, or NULL. */
const struct builtin *builtin_find(const char *name)
{
	size_t i;

	for (i = 0; i < NBUILTIN; i++)
		if (strcmp(builtins[i].name, name) == 0)
			return &builtins[i];
	return NULL;
}

/* Call `each' with the name of every builtin, in order. */
void builtin_each(void (*each)(const char *name, void *arg), void *arg)
{
	size_t i;

	for (i = 0; i < NBUILTIN; i++)
		each(builtins[i].name, arg);
}
