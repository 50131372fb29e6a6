/*
 * Running trees: everything but the simple command, which command.c runs. Each kind of node
 * has a function that returns the status.
 */
#include "userland/sh/sh.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How many commands a pipeline may have. */
#define PIPE_MAX 16

/* Run a condition: -e does not apply, since its failure is an answer and not an error. */
static bool is_true(struct node *n)
{
	int status;

	sh.quiet++;
	status = run(n, 0);
	sh.quiet--;
	return status == 0;
}

/* Run commands one after another. Only the last may replace this process. */
static int run_sequence(struct node *n, int flags)
{
	for (n = n->left; n && sh.flow == FLOW_ON; n = n->next)
		run(n, n->next ? 0 : flags);
	return sh.status;
}

/* Run { list } with its redirections. */
static int run_block(struct node *n, int flags)
{
	unsigned mark;
	int status = 1;

	if (!n->redirs)
		return run(n->right, flags);
	if (!redir_expand(n->redirs))
		return 1;
	if (redir_push(n->redirs, &mark))
		status = run(n->right, 0);
	redir_pop(mark);
	return status;
}

/* left && right: run right only after a success. */
static int run_and(struct node *n, int flags)
{
	return is_true(n->left) && sh.flow == FLOW_ON ? run(n->right, flags) : sh.status;
}

/* left || right: run right only after a failure. */
static int run_or(struct node *n, int flags)
{
	return !is_true(n->left) && sh.flow == FLOW_ON ? run(n->right, flags) : sh.status;
}

/* ! pipeline: return 0 for any failure and 1 for success. */
static int run_not(struct node *n, int flags)
{
	(void)flags;
	is_true(n->right);
	return sh.flow == FLOW_ON ? sh.status == 0 : sh.status;
}

/* The commands of a pipeline, and the descriptors that join each to the next. */
struct pipeline {
	unsigned n;
	struct node *command[PIPE_MAX];
	int fd[PIPE_MAX], tofd[PIPE_MAX];
	int pid[PIPE_MAX];
};

/* Collect the commands of a pipeline; the last one is at the top of the tree. */
static bool pipeline_gather(struct node *n, struct pipeline *p)
{
	if (n->kind == NODE_PIPE) {
		if (!pipeline_gather(n->left, p))
			return false;
		p->fd[p->n - 1] = n->fd;
		p->tofd[p->n - 1] = n->tofd;
		n = n->right;
	}
	if (p->n == PIPE_MAX) {
		sh_warn("more than %d commands in a pipeline", PIPE_MAX);
		return false;
	}
	p->command[p->n++] = n;
	return true;
}

/*
 * Start command i, which reads from `in' unless that is -1 and writes to the pipe unless
 * `out' is NULL. Return its process, or -1.
 */
static int pipeline_start(struct pipeline *p, unsigned i, int in, const int *out)
{
	int pid = job_fork();

	if (pid != 0)
		return pid;
	if (out)
		close(out[0]);
	if (in >= 0)
		fd_move(in, p->tofd[i - 1]);
	if (out)
		fd_move(out[1], p->fd[i]);
	_exit(run(p->command[i], RUN_LAST));
}

/* Start the commands. Those that could not be started have the pid -1. */
static void pipeline_start_all(struct pipeline *p)
{
	int in = -1, fd[2];
	unsigned i;
	bool last;

	for (i = 0; i < p->n; i++)
		p->pid[i] = -1;
	for (i = 0; i < p->n; i++) {
		last = i + 1 == p->n;
		if (!last && pipe(fd) < 0) {
			sh_errno("pipe");
			break;
		}
		p->pid[i] = pipeline_start(p, i, in, last ? NULL : fd);
		if (in >= 0)
			close(in);
		in = -1;
		if (!last) {
			close(fd[1]);
			in = fd[0];
		}
	}
	if (in >= 0)
		close(in);
}

/* Return what to call a command in a message. */
static const char *node_name(const struct node *n)
{
	if (n->kind == NODE_SIMPLE && n->words && n->words->kind == WORD_TEXT)
		return n->words->text;
	return "{}";
}

/* Run a pipeline and wait for all its commands. The status is the last one's. */
static int run_pipe(struct node *n, int flags)
{
	struct pipeline p = {.n = 0};
	int status = 1;
	unsigned i;

	(void)flags;
	if (!pipeline_gather(n, &p))
		return 1;
	pipeline_start_all(&p);
	for (i = 0; i < p.n; i++)
		status = p.pid[i] > 0 ? job_wait(p.pid[i], node_name(p.command[i])) : 1;
	return status;
}

/* command &: run it in a process group of its own, so that ^C is not for it. */
static int run_background(struct node *n, int flags)
{
	int pid = job_fork();

	(void)flags;
	if (pid == 0) {
		setpgid(0, 0);
		job_no_input();
		_exit(run(n->right, RUN_LAST));
	}
	if (pid < 0)
		return 1;
	job_background(pid, node_name(n->right));
	return 0;
}

/* @ command: run it in a child, so that it changes nothing in the shell. */
static int run_subshell(struct node *n, int flags)
{
	int pid = job_fork();

	(void)flags;
	if (pid == 0)
		_exit(run(n->right, RUN_LAST));
	return pid > 0 ? job_wait(pid, "@") : 1;
}

/* Run an if. A false condition is a success: $status is 0. */
static int run_if(struct node *n, int flags)
{
	bool yes = is_true(n->left);

	if (sh.flow != FLOW_ON)
		return sh.status;
	sh.status = 0;
	if (yes)
		run(n->right, flags);
	sh.unless = !yes;
	return sh.status;
}

/* Run an else, or `if not'. An if in its body decides itself whether another else is meant. */
static int run_else(struct node *n, int flags)
{
	if (!sh.unless)
		return sh.status;
	run(n->right, flags);
	if (n->right->kind != NODE_IF)
		sh.unless = false;
	return sh.status;
}

/* Run a loop's body once. Return false if the loop ends. */
static bool loop_turn(struct node *body, int *status)
{
	enum flow flow;

	sh.loops++;
	*status = run(body, 0);
	sh.loops--;
	flow = sh.flow;
	if (flow == FLOW_BREAK || flow == FLOW_CONTINUE)
		sh.flow = FLOW_ON;
	return flow == FLOW_ON || flow == FLOW_CONTINUE;
}

/* Run a while. The sentry lets ^C stop a loop that starts no process. */
static int run_while(struct node *n, int flags)
{
	int status = 0;

	(void)flags;
	job_sentry_begin();
	while (!job_interrupted() && is_true(n->left) && sh.flow == FLOW_ON)
		if (!loop_turn(n->right, &status))
			break;
	job_sentry_end();
	return sh.flow == FLOW_ON ? status : sh.status;
}

/*
 * Run a for. The list is expanded once, before the first turn. The sentry is as in
 * run_while().
 */
static int run_for(struct node *n, int flags)
{
	struct list *l = NULL;
	int status = 0;

	(void)flags;
	if (n->all)
		l = var_get(&sh.mem, "*");
	else if (!expand_list(n->words, &l))
		status = 1;
	job_sentry_begin();
	for (; l && !job_interrupted(); l = l->next) {
		var_set_word(n->name, l->s);
		if (!loop_turn(n->right, &status))
			break;
	}
	job_sentry_end();
	return sh.flow == FLOW_ON ? status : sh.status;
}

/* Return whether one of the words matches one of the patterns. Two empty lists match. */
static bool any_match(const struct list *words, const struct list *patterns)
{
	const struct list *p;

	if (!words && !patterns)
		return true;
	for (; words; words = words->next)
		for (p = patterns; p; p = p->next)
			if (glob_match(p->s, words->s))
				return true;
	return false;
}

/* ~ subject patterns: 0 if they match, 1 if not, 2 if they cannot be expanded. */
static int run_match(struct node *n, int flags)
{
	struct list *words, *patterns;

	(void)flags;
	if (!expand_list(n->words, &words) || !expand_patterns(n->cases->patterns, &patterns))
		return 2;
	return any_match(words, patterns) ? 0 : 1;
}

/* Run the commands of the first case that matches. If there is none, that is a success. */
static int run_cases(const struct node_case *c, const struct list *words)
{
	struct list *patterns;

	for (; c; c = c->next) {
		if (!expand_patterns(c->patterns, &patterns))
			return 1;
		if (any_match(words, patterns)) {
			sh.status = 0;
			return run(c->body, 0);
		}
	}
	return 0;
}

/* Run a switch. */
static int run_switch(struct node *n, int flags)
{
	struct list *words;

	(void)flags;
	return expand_list(n->words, &words) ? run_cases(n->cases, words) : 1;
}

/* fn names { list }: define the functions, or remove them if there is no block. */
static int run_function(struct node *n, int flags)
{
	struct list *names;

	(void)flags;
	if (!expand_list(n->words, &names))
		return 1;
	for (; names; names = names->next)
		function_set(names->s, n->text, n->line);
	return 0;
}

static int (*const runners[NODE_KINDS])(struct node *n, int flags) = {
	[NODE_SIMPLE] = run_simple,
	[NODE_SEQUENCE] = run_sequence,
	[NODE_BLOCK] = run_block,
	[NODE_AND] = run_and,
	[NODE_OR] = run_or,
	[NODE_NOT] = run_not,
	[NODE_PIPE] = run_pipe,
	[NODE_BACKGROUND] = run_background,
	[NODE_SUBSHELL] = run_subshell,
	[NODE_IF] = run_if,
	[NODE_ELSE] = run_else,
	[NODE_WHILE] = run_while,
	[NODE_FOR] = run_for,
	[NODE_SWITCH] = run_switch,
	[NODE_FUNCTION] = run_function,
	[NODE_MATCH] = run_match,
};

/*
 * Return whether -e looks at the status of such a node itself. That of others is their
 * parts'.
 */
static bool is_leaf(enum node_kind kind)
{
	return kind == NODE_SIMPLE || kind == NODE_PIPE || kind == NODE_SUBSHELL ||
	       kind == NODE_MATCH;
}

/*
 * Run a tree and return its status, which $status then has. With RUN_LAST this may not
 * return. Whatever is expanded on the way is released at the end.
 */
int run(struct node *n, int flags)
{
	struct mark m = arena_mark(&sh.mem);

	if (sh.flow != FLOW_ON)
		return sh.status;
	if (n->kind != NODE_SEQUENCE)
		sh.line = n->line;
	sh.status = runners[n->kind](n, flags);
	arena_release(&sh.mem, m);
	if (sh.status != 0 && sh.opt_e && sh.quiet == 0 && is_leaf(n->kind) && sh.flow == FLOW_ON)
		sh.flow = FLOW_EXIT;
	return sh.status;
}
