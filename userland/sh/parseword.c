/* Words and redirections: quotes, variables, lists, output of commands, carets. */
#include "userland/sh/sh.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct word *parse_part(struct source *in);

/* A word that begins in this line. */
static struct word *word_new(struct source *in, enum word_kind kind)
{
	struct word *w = arena_alloc(in->mem, sizeof(*w));

	w->kind = kind;
	w->line = in->line;
	return w;
}

/* A word of the text that was gathered in t, which is let go. */
static struct word *word_text(struct source *in, struct text *t)
{
	struct word *w = word_new(in, WORD_TEXT);

	w->text = text_take(in->mem, t);
	return w;
}

/* Whether a word, or a part of one, begins here. */
bool at_word(struct source *in)
{
	int c = peek(in);

	return is_word_char(c) || (c != EOF && c != 0 && strchr("$'\"`{(", c));
}

/* A character of a quoted part: it stands for itself. */
static void put_literal(struct text *t, int c)
{
	if (c == GLOB_MARK)
		text_char(t, GLOB_MARK);
	text_char(t, c);
}

/* Characters that stand for themselves, and the three that match files. */
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

/* 'anything'; '' is a quote. */
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
	syntax_error(in, "syntax error: unexpected end, the quote of line %d is open", line);
	return NULL;
}

/* $name, $#name, $"name, ${name}, $name(1 3-5), $$name. */
static struct word *parse_var(struct source *in, bool indexed)
{
	struct word *w = word_new(in, WORD_VAR);
	struct text t = {NULL, 0, 0};
	bool brace;

	next(in);
	w->how = peek(in) == '#' || peek(in) == '"' ? next(in) : '$';
	if (peek(in) == '$') {
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
			syntax_error(in, "syntax error: a variable's name must follow $");
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

/* `{list}: what it writes. */
static struct word *parse_output(struct source *in)
{
	struct word *w = word_new(in, WORD_OUTPUT);

	next(in);
	if (!expect(in, '{', "output of commands is `{commands}"))
		return NULL;
	w->body = parse_list(in, '}');
	return in->failed ? NULL : w;
}

/* The characters up to the next thing that double quotes replace, or to their end. */
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

/* One piece inside double quotes; a $ that names nothing is a $. */
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

/* "text $name `{commands}": one word, lists in it joined by blanks. */
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
		syntax_error(in, "syntax error: unexpected end, the quote of line %d is open",
			     w->line);
	next(in);
	return in->failed ? NULL : w;
}

/* (words) */
static struct word *parse_paren(struct source *in)
{
	struct word *w = word_new(in, WORD_LIST);

	next(in);
	w->left = parse_words(in, true);
	expect(in, ')', "(words)");
	return in->failed ? NULL : w;
}

/* A block as a word: its text. */
static struct word *parse_block_word(struct source *in)
{
	struct word *w = word_new(in, WORD_TEXT);
	const char *text = parse_block_text(in);

	if (!text)
		return NULL;
	w->text = glob_literal(in->mem, text);
	return w;
}

/* A part of a word, up to where another kind of part begins. */
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

/* Whether a part follows that is joined to the one before: by a caret, or standing close. */
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

/* A word: parts joined by carets, which need not be written between parts that touch. */
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

/* Words up to where none begins; inside parentheses they may stand on several lines. */
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

/* A file descriptor; -1 if there is no number. */
static int parse_fd(struct source *in)
{
	int n = -1;

	while (peek(in) != EOF && isdigit(peek(in)) && n < 100)
		n = (n < 0 ? 0 : n * 10) + next(in) - '0';
	return n;
}

/* [n], [n=m] or [n=] after a redirection: *fd is set if it is there, *from only by =. */
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

/* <file >file >>file >[2]file >[2=1] >[2=]; put behind *tail. False: none, or a mistake. */
bool parse_redir(struct source *in, struct redir ***tail)
{
	int c = peek(in);
	struct redir *r;

	if (c != '<' && c != '>')
		return false;
	next(in);
	r = arena_alloc(in->mem, sizeof(*r));
	r->kind = c == '<' ? REDIR_READ : REDIR_WRITE;
	r->fd = c == '<' ? 0 : 1;
	if (c == '>' && peek(in) == '>') {
		next(in);
		r->kind = REDIR_APPEND;
	} else if (peek(in) == '<' || peek(in) == '>') {
		syntax_error(in, "syntax error near '%c%c'", c, peek(in));
	}
	if (!parse_fds(in, r))
		return false;
	skip_blank(in);
	if (r->kind != REDIR_DUP && r->kind != REDIR_CLOSE) {
		if (!at_word(in)) {
			syntax_near(in);
			return false;
		}
		r->file = parse_word(in);
	}
	**tail = r;
	*tail = &r->next;
	return !in->failed;
}

/* |, |[2] or |[2=0]: which descriptor writes and which one reads. */
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
