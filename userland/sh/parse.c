/*
 * Commands: from characters to a tree, by recursive descent, a function for most of the rules of
 * the grammar, which is in sh(1).
 *
 * A function returns NULL after a syntax error, which it has reported; in->failed is set then, and
 * nothing more is read. Those of if to @ are in parsekeyword.c.
 */
#include "userland/sh/sh.h"
#include <stdio.h>

/* How deeply lists may be nested: the process's stack is finite. */
#define PARSE_DEPTH 64

/* Return a node that begins in this line. */
struct node *node_new(struct source *in, enum node_kind kind)
{
	struct node *n = arena_alloc(in->mem, sizeof(*n));

	n->kind = kind;
	n->line = in->line;
	return n;
}

/* Return a node with two parts, or NULL after a syntax error in one of them. */
struct node *node_pair(struct source *in, enum node_kind kind, struct node *left,
			      struct node *right)
{
	struct node *n = node_new(in, kind);

	n->left = left;
	n->right = right;
	if (right)
		n->line = left ? left->line : right->line;
	return in->failed ? NULL : n;
}

/*
 * Take `close', or the end of the line if that is 0, and return whether it was there. The
 * end of the input ends every list, but is an error where `close' is missing.
 */
static bool list_ends(struct source *in, int close)
{
	int c = peek(in);

	if (c == EOF && close != 0)
		syntax_error(in, "syntax error: unexpected end: '%c' is missing", close);
	if (c != EOF && c != (close ? close : '\n'))
		return false;
	if (close)
		next(in);
	else
		end_line(in);
	return true;
}

/*
 * Take what ends a command: ; or & or nothing before the end of the list. Return the
 * command, which & puts into the background.
 */
struct node *parse_terminator(struct source *in, struct node *n, int close)
{
	int c;

	skip_blank(in);
	c = peek(in);
	if (c == ';' || c == '&')
		next(in);
	else if (c != '\n' && c != EOF && c != close)
		syntax_near(in);
	if (c == '&' && peek(in) == '&')
		syntax_near(in);
	return c == '&' ? node_pair(in, NODE_BACKGROUND, NULL, n) : n;
}

/*
 * Parse a command and what ends it, or a semicolon that ends none. Return false after an
 * error.
 */
bool parse_item(struct source *in, struct node ***tail, int close)
{
	if (peek(in) == ';') {
		next(in);
		return true;
	}
	**tail = parse_and_or(in);
	if (!in->failed)
		**tail = parse_terminator(in, **tail, close);
	if (!in->failed)
		*tail = &(**tail)->next;
	return !in->failed;
}

/*
 * Parse commands up to `close', which is taken and before which newlines separate commands,
 * or up to the end of the line if it is 0. A list of one command is that command.
 */
struct node *parse_list(struct source *in, int close)
{
	struct node *list = node_new(in, NODE_SEQUENCE), **tail = &list->left;

	if (++in->depth > PARSE_DEPTH)
		syntax_error(in, "syntax error: blocks are nested too deeply");
	do {
		if (close != 0)
			skip_space(in);
		else
			skip_blank(in);
	} while (!list_ends(in, close) && !in->failed && parse_item(in, &tail, close));
	in->depth--;
	if (in->failed)
		return NULL;
	return list->left && !list->left->next ? list->left : list;
}

/* Parse one line, or more if the command goes on. NULL also means an empty line or the end. */
struct node *parse_line(struct source *in)
{
	struct node *n;

	if (peek(in) == EOF)
		return NULL;
	n = parse_list(in, 0);
	if (n && n->kind == NODE_SEQUENCE && !n->left)
		return NULL;
	return n;
}

/* Return the text of a block, which is parsed only to find its end and again when it runs. */
const char *parse_block_text(struct source *in)
{
	struct redir *before = in->heres;
	size_t start = in->at;

	in->heres = NULL;
	next(in);
	parse_list(in, '}');
	if (in->heres)
		syntax_error(in, "syntax error: the text of <<%s must be inside the braces",
			     in->heres->file->text);
	in->heres = before;
	if (in->failed)
		return NULL;
	return arena_text(in->mem, in->text.text + start, in->at - start);
}

/* Parse words and redirections, in any order, to the end of a simple command. */
static void parse_rest(struct source *in, struct node *n)
{
	struct word **word = &n->words;

	for (;;) {
		skip_blank(in);
		if (parse_redir(in, &n->redirs))
			continue;
		habit_redirection(in);
		habit_word(in);
		if (!at_word(in))
			return;
		*word = parse_word(in);
		if (!*word)
			return;
		word = &(*word)->next;
	}
}

/* Parse redirections only. */
void parse_redirs(struct source *in, struct node *n)
{
	do
		skip_blank(in);
	while (parse_redir(in, &n->redirs));
}

/* Parse a block and the redirections after it; `before' are those that came before it. */
static struct node *parse_block(struct source *in, struct redir *before)
{
	struct node *n = node_new(in, NODE_BLOCK);

	next(in);
	n->redirs = before;
	n->right = parse_list(in, '}');
	if (!in->failed)
		parse_redirs(in, n);
	return in->failed ? NULL : n;
}

/* Return the length of the name if name= comes next, or else 0. */
static size_t assign_length(struct source *in)
{
	const char *s = in->text.text + in->at;
	size_t n = 0;

	while (is_name_char((unsigned char)s[n]) || s[n] == '*')
		n++;
	return s[n] == '=' ? n : 0;
}

/* Parse one assignment. The empty list is assigned if no word follows the equals sign. */
static struct assign *parse_assign(struct source *in, size_t length)
{
	struct assign *a = arena_alloc(in->mem, sizeof(*a));

	a->name = arena_text(in->mem, in->text.text + in->at, length);
	in->at += length;
	next(in);
	if (at_word(in))
		a->value = parse_word(in);
	return a;
}

/* Parse assignments, words and redirections or, after redirections, a block. */
static struct node *parse_simple(struct source *in)
{
	struct node *n = node_new(in, NODE_SIMPLE);
	struct assign **assign = &n->assigns;
	size_t length;

	while (peek(in) != EOF && (length = assign_length(in)) > 0) {
		*assign = parse_assign(in, length);
		assign = &(*assign)->next;
		skip_blank(in);
	}
	parse_redirs(in, n);
	if (peek(in) == '{' && n->redirs && !n->assigns)
		return parse_block(in, n->redirs);
	parse_rest(in, n);
	if (!n->words && !n->assigns && !n->redirs)
		syntax_near(in);
	return in->failed ? NULL : n;
}

/* Parse a command that is not joined to others: the grammar's command. */
static struct node *parse_command(struct source *in)
{
	parse_rule *parse;

	skip_blank(in);
	if (peek(in) == '{')
		return parse_block(in, NULL);
	parse = parse_keyword(in);
	if (parse)
		return parse(in);
	return parse_simple(in);
}

/* Parse a pipeline, which leans to the left: the last command is at the top of the tree. */
static struct node *parse_pipe(struct source *in)
{
	struct node *n = parse_command(in), *pipe;

	for (;;) {
		if (in->failed)
			return NULL;
		skip_blank(in);
		if (peek(in) != '|' || peek2(in) == '|')
			return n;
		next(in);
		pipe = node_new(in, NODE_PIPE);
		if (!parse_pipe_fds(in, &pipe->fd, &pipe->tofd))
			return NULL;
		skip_space(in);
		pipe->left = n;
		pipe->right = parse_command(in);
		n = pipe;
	}
}

/* Parse a pipeline whose status may be negated. */
struct node *parse_not(struct source *in)
{
	skip_blank(in);
	if (peek(in) != '!')
		return parse_pipe(in);
	next(in);
	return node_pair(in, NODE_NOT, NULL, parse_not(in));
}

/* Parse pipelines joined by && and ||, which bind equally, from left to right. */
struct node *parse_and_or(struct source *in)
{
	struct node *n = parse_not(in);
	int c;

	for (;;) {
		if (in->failed)
			return NULL;
		skip_blank(in);
		c = peek(in);
		if ((c != '&' && c != '|') || peek2(in) != c)
			return n;
		next(in);
		next(in);
		skip_space(in);
		n = node_pair(in, c == '&' ? NODE_AND : NODE_OR, n, parse_not(in));
	}
}
