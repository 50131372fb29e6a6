/*
 * The simple command: its assignments are made, its words expanded, and what the first word
 * names is run, which is a block, a function, a builtin or a program, in this order.
 */
#include "userland/sh/sh.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Runs scripts without a #! line. */
#define SHELL "/bin/sh"

/* A variable whose value is put back after the command. */
struct local {
	struct local *next;
	const char *name;
	struct words *old;
};

/*
 * Expand and set the variables from left to right. With `locals', note their old values
 * there. Return false if a value cannot be expanded.
 */
static bool assign_all(struct assign *a, struct local **locals)
{
	struct piece *value;
	struct local *l;

	for (; a; a = a->next) {
		value = NULL;
		if (!expand_pieces(a->value, &value))
			return false;
		if (locals) {
			l = arena_alloc(&sh.mem, sizeof(*l));
			*l = (struct local){*locals, a->name, var_save(a->name)};
			*locals = l;
		}
		var_set_pieces(a->name, value);
	}
	return true;
}

/* Put the old values back, the latest first, since a name may occur twice. */
static void assign_undo(struct local *l)
{
	for (; l; l = l->next)
		var_restore(l->name, l->old);
}

/* Show a command before it runs, for -x. */
static void trace(const struct list *args)
{
	struct text t = {NULL, 0, 0};

	text_char(&t, '+');
	for (; args; args = args->next) {
		text_char(&t, ' ');
		text_add(&t, args->s);
	}
	text_char(&t, '\n');
	if (write(2, t.text, t.len) < 0)
		sh.opt_x = false; /* nobody can see it */
	free(t.text);
}

/*
 * Replace this process by the program, or by a shell if it is a script without a #! line.
 * Return only on failure, with errno.
 */
static void exec_file(const char *path, struct list *args, char **argv, char **env)
{
	struct list shell = {NULL, "sh"}, script = {args->next, (char *)path};

	execve(path, argv, env);
	if (errno != ENOEXEC)
		return;
	shell.next = &script;
	execve(SHELL, list_argv(&sh.mem, &shell), env);
	errno = ENOEXEC;
}

/*
 * Try the program in each directory of $path. Leave in errno the last failure that was more
 * than a missing file: a file that may not be run is better news than none.
 */
static void exec_search(struct list *args, char **argv, char **env)
{
	struct list *dir;
	int e = ENOENT;

	for (dir = var_get(&sh.mem, "path"); dir; dir = dir->next) {
		exec_file(arena_join(&sh.mem, arena_join(&sh.mem, dir->s, "/"), args->s), args,
			  argv, env);
		if (errno != ENOENT && errno != ENOTDIR)
			e = errno;
	}
	errno = e;
}

/*
 * Become the program that the first word names. Exit with 127 if there is none and 126 if it
 * cannot be run, as POSIX has it. A name with a slash, or a device's that begins with #, is
 * not looked for in $path.
 */
void exec_words(struct list *args)
{
	char **argv = list_argv(&sh.mem, args), **env = var_export(&sh.mem);
	bool place = strchr(args->s, '/') || args->s[0] == '#';

	if (place)
		exec_file(args->s, args, argv, env);
	else
		exec_search(args, argv, env);
	if (errno == ENOENT && !place) {
		const char *say = habit_command(args->s);

		if (say)
			sh_warn("%s: command not found (%s)", args->s, say);
		else
			sh_warn("%s: command not found", args->s);
		_exit(127);
	}
	sh_errno(args->s);
	_exit(errno == ENOENT || errno == ENOTDIR ? 127 : 126);
}

/* Run a program in a child, or in this process if it has nothing else to do. */
static int run_program(struct list *args, struct redir *redirs, int flags)
{
	int pid = flags & RUN_LAST ? 0 : job_fork();

	if (pid == 0) {
		if (redir_apply(redirs))
			exec_words(args);
		_exit(1);
	}
	return pid > 0 ? job_wait(pid, args->s) : 1;
}

/*
 * Run a block, a function or a builtin in this process. The redirections are undone
 * afterwards.
 */
static int run_inside(struct list *args, struct redir *redirs)
{
	struct function *f = function_find(args->s);
	const struct builtin *b = builtin_find(args->s);
	unsigned mark;
	int status;

	if (!redir_push(redirs, &mark))
		status = 1;
	else if (args->s[0] == '{')
		status = block_run(args->s, args->next);
	else if (f)
		status = function_run(f, args->next);
	else
		status = b->run(args);
	redir_pop(mark);
	return status;
}

/* Run expanded words and return the status. `exec' without a command keeps its redirections. */
int run_words(struct list *args, struct redir *redirs, int flags)
{
	if (args->s[0] == '{' || function_find(args->s))
		return run_inside(args, redirs);
	if (!builtin_find(args->s))
		return run_program(args, redirs, flags);
	if (strcmp(args->s, "exec") != 0)
		return run_inside(args, redirs);
	if (!redir_apply(redirs))
		return 1;
	if (args->next) {
		console_forget();
		exec_words(args->next);
	}
	return 0;
}

/*
 * Run a command that is only redirections: the files are created or opened, and closed
 * again.
 */
static int run_redirs(struct redir *redirs)
{
	unsigned mark;
	bool ok = redir_push(redirs, &mark);

	redir_pop(mark);
	return ok ? 0 : 1;
}

/*
 * Run a command that is only assignments. The status is that of the last `{} in them, if
 * any.
 */
static int run_assigns(struct node *n)
{
	unsigned outputs = sh.outputs;

	if (!assign_all(n->assigns, NULL))
		return 1;
	return outputs != sh.outputs ? sh.status : 0;
}

/* Expand the words and redirections of a command whose variables are set, and run it. */
static int run_expanded(struct node *n, int flags)
{
	struct list *args;

	if (!expand_list(n->words, &args) || !redir_expand(n->redirs))
		return 1;
	if (!args)
		return run_redirs(n->redirs);
	if (sh.opt_x)
		trace(args);
	return run_words(args, n->redirs, flags);
}

/* Run a simple command. Assignments before words hold for this command only. */
int run_simple(struct node *n, int flags)
{
	struct local *locals = NULL;
	int status = 1;

	if (!n->words && !n->redirs)
		return run_assigns(n);
	if (assign_all(n->assigns, n->words ? &locals : NULL))
		status = run_expanded(n, flags);
	assign_undo(locals);
	return status;
}
