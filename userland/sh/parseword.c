/*
 * Words and redirections. A word is parts joined by carets, which may be left out between parts
 * that touch; a part is plain text, a quote, a variable, the output of commands, a list or a block.
 */
#include "userland/sh/sh.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Return a word that begins in this line. */
static struct word *word_new(struct source *in, enum word_kind kind)
{
	struct word *w = arena_alloc(in->mem, sizeof(*w));

	w->kind = kind;
	w->line = in->line;
	return w;
}

/* Return a word of the text gathered in t, which is empty afterwards. */
static struct word *word_text(struct source *in, struct text *t)
{
	struct word *w = word_new(in, WORD_TEXT);

	w->text = text_take(in->mem, t);
	return w;
}

/* Return whether a word, or a part of one, begins here. */
bool at_word(struct source *in)
{
	int c = peek(in);

	return is_word_char(c) || (c != EOF && c != 0 && strchr("$'\"`{(", c));
}

/* Append a character that stands for itself: a GLOB_MARK is doubled. */
static void put_literal(struct text *t, int c)
{
	if (c == GLOB_MARK)
		text_char(t, GLOB_MARK);
	text_char(t, c);
}

/*
 * Parse characters that stand for themselves, and the three that match files, which are
 * marked.
 */
static struct word *parse_plain(struct source *in)
{
	struct text t = {NULL, 0, 0};

	while (is_word_char(peek(in)) && !(peek(in) == '\\' && peek2(in) == '\n')) {
		int c = next(in);

		if (strchr("*?[", c) || c == GLOB_MARK)
			text_char(&t, GLOB_MARK);
		text_char(&t, c);
	}
	return word_text(in, &t);
}

/* Parse 'anything', in which '' is a quote. */
static struct word *parse_quote(struct source *in)
{
	struct text t = {NULL, 0, 0};
	int line = in->line;

	next(in);
	while (peek(in) != EOF) {
		int c = next(in);

		if (c == '\'' && peek(in) != '\'')
			return word_text(in, &t);
		if (c == '\'')
			next(in);
		put_literal(&t, c);
	}
	free(t.text);
	syntax_error(in, "syntax error: unexpected end: the quote on line %d is not closed", line);
	return NULL;
}

/*
 * Parse $name, $#name, $"name, ${name}, $name(1 3-5), $'any name' or $$name. Only where
 * `indexed' is set can indices follow.
 */
static struct word *parse_var(struct source *in, bool indexed)
{
	struct word *w = word_new(in, WORD_VAR);
	struct text t = {NULL, 0, 0};
	bool brace;

	next(in);
	w->how = peek(in) == '#' || peek(in) == '"' ? next(in) : '$';
	if (peek(in) == '$' && strchr(" \t\r\n;&|<>)}", peek2(in) == EOF ? '\n' : peek2(in))) {
		syntax_error(in, "syntax error: $$ is $pid here");
	} else if (peek(in) == '$') {
		w->left = parse_var(in, false);
	} else if (peek(in) == '\'') {
		w->left = parse_quote(in);
	} else {
		brace = peek(in) == '{';
		if (brace)
			next(in);
		if (peek(in) == '*')
			text_char(&t, next(in));
		else
			while (is_name_char(peek(in)))
				text_char(&t, next(in));
		if (t.len == 0)
			habit_variable(in);
		else if (brace)
			expect(in, '}', "${name}");
		w->left = word_text(in, &t);
	}
	if (indexed && w->how == '$' && peek(in) == '(') {
		next(in);
		w->right = parse_words(in, true);
		expect(in, ')', "$name(numbers)");
	}
	return in->failed ? NULL : w;
}

/* Parse `{list}, which stands for what the list writes. */
static struct word *parse_output(struct source *in)
{
	struct word *w = word_new(in, WORD_OUTPUT);

	next(in);
	if (!expect(in, '{', "output of commands is `{commands}"))
		return NULL;
	w->body = parse_list(in, '}');
	return in->failed ? NULL : w;
}

/*
 * Parse the characters up to what double quotes replace, or to their end. A backslash quotes
 * only what would be special.
 */
static struct word *parse_quoted_text(struct source *in)
{
	struct text t = {NULL, 0, 0};

	while (peek(in) != EOF && !strchr("\"$`", peek(in))) {
		if (peek(in) == '\\' && peek2(in) != EOF && strchr("\"$`\\", peek2(in)))
			next(in);
		put_literal(&t, next(in));
	}
	return word_text(in, &t);
}

/* Parse one piece inside double quotes. A $ that names nothing is a $. */
static struct word *parse_quoted_part(struct source *in)
{
	struct text t = {NULL, 0, 0};
	int c = peek(in), c2 = peek2(in);

	if (c == '`' && c2 == '{')
		return parse_output(in);
	if (c == '$' && (is_name_char(c2) || (c2 != EOF && strchr("*#{$", c2))))
		return parse_var(in, false);
	if (c != '$' && c != '`')
		return parse_quoted_text(in);
	put_literal(&t, next(in));
	return word_text(in, &t);
}

/* Parse "text $name `{commands}", which is one word: lists in it are joined by blanks. */
static struct word *parse_double(struct source *in)
{
	struct word *w = word_new(in, WORD_QUOTED), **tail = &w->left;

	next(in);
	while (peek(in) != EOF && peek(in) != '"') {
		*tail = parse_quoted_part(in);
		if (!*tail)
			return NULL;
		tail = &(*tail)->next;
	}
	if (peek(in) == EOF)
		syntax_error(in, "syntax error: unexpected end: the quote on line %d is not closed",
			     w->line);
	next(in);
	return in->failed ? NULL : w;
}

/* Parse (words). */
static struct word *parse_paren(struct source *in)
{
	struct word *w = word_new(in, WORD_LIST);

	next(in);
	w->left = parse_words(in, true);
	expect(in, ')', "(words)");
	return in->failed ? NULL : w;
}

/* Parse a block that stands for its text. */
static struct word *parse_block_word(struct source *in)
{
	struct word *w = word_new(in, WORD_TEXT);
	const char *text = parse_block_text(in);

	if (!text)
		return NULL;
	w->text = glob_literal(in->mem, text);
	return w;
}

/* Parse one part of a word. */
static struct word *parse_part(struct source *in)
{
	switch (peek(in)) {
	case '$':
		return parse_var(in, true);
	case '\'':
		return parse_quote(in);
	case '"':
		return parse_double(in);
	case '`':
		return parse_output(in);
	case '(':
		return parse_paren(in);
	case '{':
		return parse_block_word(in);
	default:
		if (is_word_char(peek(in)))
			return parse_plain(in);
		syntax_near(in);
		return NULL;
	}
}

/*
 * Return whether a part follows that is joined to the one before, by a caret, which is
 * taken, or by touching it. What touches a closing parenthesis or brace is the next word.
 */
static bool at_join(struct source *in, bool after_group)
{
	int c = peek(in);

	if (is_word_char(c) || (c != EOF && c != 0 && strchr("$'\"`", c)))
		return !(c == '\\' && peek2(in) == '\n') && !after_group;
	if (c == '(')
		syntax_near(in);
	skip_blank(in);
	if (peek(in) != '^')
		return false;
	next(in);
	skip_blank(in);
	return true;
}

/* Parse a word. Joins lean to the left, as carets do. */
struct word *parse_word(struct source *in)
{
	struct word *w, *join;
	bool group;

	for (w = NULL;;) {
		int c = peek(in);
		struct word *part = parse_part(in);

		if (!part)
			return NULL;
		group = c == '(' || c == '{';
		if (w) {
			join = word_new(in, WORD_JOIN);
			join->left = w;
			join->right = part;
			part = join;
		}
		w = part;
		if (!at_join(in, group))
			return in->failed ? NULL : w;
	}
}

/*
 * Parse words up to where none begins. With `lines' they may stand on several lines, as they
 * do in parentheses.
 */
struct word *parse_words(struct source *in, bool lines)
{
	void (*skip)(struct source *) = lines ? skip_space : skip_blank;
	struct word *first = NULL, **tail = &first;

	for (skip(in); at_word(in); skip(in)) {
		*tail = parse_word(in);
		if (!*tail)
			return NULL;
		tail = &(*tail)->next;
	}
	return first;
}

/*
 * Return a file descriptor, or -1 if there is no number. Its size is bounded, so that it
 * fits.
 */
static int parse_fd(struct source *in)
{
	int n = -1;

	while (peek(in) != EOF && isdigit(peek(in)) && n < 100)
		n = (n < 0 ? 0 : n * 10) + next(in) - '0';
	return n;
}

/*
 * Parse [n], [n=m] or [n=], if it is there. n replaces the descriptor of the redirection; =
 * makes it one that duplicates or closes. Return false after an error.
 */
static bool parse_fds(struct source *in, struct redir *r)
{
	static const char form[] = "[number], [number=number] or [number=]";

	if (peek(in) != '[')
		return true;
	next(in);
	r->fd = parse_fd(in);
	if (r->fd < 0) {
		syntax_error(in, "syntax error: %s must follow", form);
		return false;
	}
	if (peek(in) == '=') {
		next(in);
		r->from = parse_fd(in);
		r->kind = r->from < 0 ? REDIR_CLOSE : REDIR_DUP;
	}
	return expect(in, ']', form);
}

/* Let a here document, which has its mark, wait for the end of the line. */
static void wait_for_text(struct source *in, struct redir *r)
{
	struct redir **last = &in->heres;

	if (!in->failed && r->file->kind != WORD_TEXT)
		syntax_error(in, "syntax error: <<mark or <<'mark'");
	if (in->failed)
		return;
	r->file->text = glob_unmark(in->mem, r->file->text);
	while (*last)
		last = &(*last)->after;
	*last = r;
}

/*
 * Parse <file, >file, >>file, <<mark, or one with descriptors such as >[2]file, >[2=1] or >[2=],
 * and append it to the list. Return false if there is none, or after an error.
 */
bool parse_redir(struct source *in, struct redir **list)
{
	int c = peek(in);
	struct redir *r;

	if (c != '<' && c != '>')
		return false;
	next(in);
	r = arena_alloc(in->mem, sizeof(*r));
	r->kind = c == '<' ? REDIR_READ : REDIR_WRITE;
	r->fd = c == '<' ? 0 : 1;
	if (peek(in) == c) {
		next(in);
		r->kind = c == '<' ? REDIR_HERE : REDIR_APPEND;
	} else if (peek(in) == '<' || peek(in) == '>') {
		syntax_error(in, "syntax error near '%c%c'", c, peek(in));
	}
	if (!parse_fds(in, r))
		return false;
	skip_blank(in);
	r->quoted = peek(in) == '\'';
	if (r->kind != REDIR_DUP && r->kind != REDIR_CLOSE)
		r->file = parse_word(in);
	if (r->kind == REDIR_HERE)
		wait_for_text(in, r);
	while (*list)
		list = &(*list)->next;
	*list = r;
	return !in->failed;
}

/*
 * Parse what may follow a pipe's bar, as in |[2] or |[2=0]: the descriptors that write and
 * read.
 */
bool parse_pipe_fds(struct source *in, int *fd, int *tofd)
{
	struct redir r = {.kind = REDIR_WRITE, .fd = 1};

	if (!parse_fds(in, &r))
		return false;
	if (r.kind == REDIR_CLOSE)
		syntax_error(in, "syntax error: |[number=number]");
	*fd = r.fd;
	*tofd = r.kind == REDIR_DUP ? r.from : 0;
	return !in->failed;
}
