/* Commands that a keyword begins, such as if and fn: their rules are in sh(1). */
#include "userland/sh/sh.h"
#include <stdio.h>

/* Parse a list in parentheses. `of' is the form to show if they are missing. */
static struct node *parse_condition(struct source *in, const char *of)
{
	if (!expect(in, '(', of))
		return NULL;
	return parse_list(in, ')');
}

/* Parse the command of an if, a while, a for or an else, which may stand on the next line. */
static struct node *parse_body(struct source *in)
{
	skip_space(in);
	return parse_and_or(in);
}

/* Parse what follows else or `if not': it runs if the last if did not run its body. */
static struct node *parse_else(struct source *in)
{
	return node_pair(in, NODE_ELSE, NULL, parse_body(in));
}

/* Parse an if. Its else becomes a command of its own that follows it. */
static struct node *parse_if(struct source *in)
{
	struct node *cond, *n, *seq;

	skip_blank(in);
	if (accept_keyword(in, "not"))
		return parse_else(in);
	cond = parse_condition(in, "if(condition) command");
	if (in->failed)
		return NULL;
	n = node_pair(in, NODE_IF, cond, parse_body(in));
	if (!n)
		return NULL;
	skip_blank(in);
	if (!accept_keyword(in, "else"))
		return n;
	seq = node_new(in, NODE_SEQUENCE);
	seq->left = n;
	n->next = parse_else(in);
	return in->failed ? NULL : seq;
}

/* Parse a while. */
static struct node *parse_while(struct source *in)
{
	struct node *cond = parse_condition(in, "while(condition) command");

	if (in->failed)
		return NULL;
	return node_pair(in, NODE_WHILE, cond, parse_body(in));
}

/* Return a variable's name, or NULL if there is none. */
static const char *parse_name(struct source *in)
{
	size_t start;

	if (!is_name_char(peek(in)))
		return NULL;
	for (start = in->at; is_name_char(peek(in));)
		next(in);
	return arena_text(in->mem, in->text.text + start, in->at - start);
}

/* Parse a for; without `in' it goes over $*. */
static struct node *parse_for(struct source *in)
{
	struct node *n = node_new(in, NODE_FOR);

	if (!expect(in, '(', "for(name in words) command"))
		return NULL;
	skip_blank(in);
	n->name = parse_name(in);
	if (!n->name) {
		syntax_error(in, "syntax error: for(name in words) command");
		return NULL;
	}
	skip_blank(in);
	n->all = !accept_keyword(in, "in");
	if (!n->all)
		n->words = parse_words(in, true);
	if (!expect(in, ')', "for(name in words) command"))
		return NULL;
	n->right = parse_body(in);
	return in->failed ? NULL : n;
}

/* Parse the commands of a case, which end where the next one begins. */
static struct node *parse_case_body(struct source *in)
{
	struct node *list = node_new(in, NODE_SEQUENCE), **tail = &list->left;

	do
		skip_space(in);
	while (peek(in) != EOF && peek(in) != '}' && !at_keyword(in, "case") &&
	       parse_item(in, &tail, '}'));
	return list;
}

/* Parse a switch. What may follow the brace needs a block around it. */
static struct node *parse_switch(struct source *in)
{
	static const char form[] = "switch(word) { case patterns; commands ... }";
	struct node *n = node_new(in, NODE_SWITCH), *block;
	struct node_case **tail = &n->cases;

	if (!expect(in, '(', form))
		return NULL;
	n->words = parse_words(in, true);
	if (!expect(in, ')', form))
		return NULL;
	skip_space(in);
	if (!expect(in, '{', form))
		return NULL;
	for (skip_space(in); accept_keyword(in, "case"); skip_space(in)) {
		*tail = arena_alloc(in->mem, sizeof(**tail));
		(*tail)->patterns = parse_words(in, false);
		parse_terminator(in, n, 0);
		(*tail)->body = parse_case_body(in);
		tail = &(*tail)->next;
	}
	if (!expect(in, '}', form))
		return NULL;
	block = node_pair(in, NODE_BLOCK, NULL, n);
	if (block)
		parse_redirs(in, block);
	return in->failed ? NULL : block;
}

/* Parse a definition; without a block, the functions are removed. */
static struct node *parse_function(struct source *in)
{
	struct node *n = node_new(in, NODE_FUNCTION);
	struct word **tail = &n->words;

	for (skip_blank(in); at_word(in) && peek(in) != '{'; skip_blank(in)) {
		*tail = parse_word(in);
		if (!*tail)
			return NULL;
		tail = &(*tail)->next;
	}
	if (!n->words)
		syntax_error(in, "syntax error: fn NAME { commands }");
	if (peek(in) == '{') {
		n->line = in->line;
		n->text = parse_block_text(in);
	}
	return in->failed ? NULL : n;
}

/* Parse a match: a subject and patterns. */
static struct node *parse_match(struct source *in)
{
	struct node *n = node_new(in, NODE_MATCH);

	skip_blank(in);
	if (!at_word(in)) {
		syntax_error(in, "syntax error: ~ subject patterns");
		return NULL;
	}
	n->words = parse_word(in);
	n->cases = arena_alloc(in->mem, sizeof(*n->cases));
	n->cases->patterns = parse_words(in, false);
	return in->failed ? NULL : n;
}

/* Parse a pipeline that runs in a process of its own. */
static struct node *parse_subshell(struct source *in)
{
	skip_space(in);
	return node_pair(in, NODE_SUBSHELL, NULL, parse_not(in));
}

/* The words that begin a command of their own kind. */
static const struct keyword {
	const char *word;
	struct node *(*parse)(struct source *in);
} keywords[] = {
	{"if", parse_if},   {"else", parse_else},     {"while", parse_while},
	{"for", parse_for}, {"switch", parse_switch}, {"fn", parse_function},
	{"~", parse_match}, {"@", parse_subshell},
};

/* Take a keyword, if one comes next, and return what parses the rest; or return NULL. */
parse_rule *parse_keyword(struct source *in)
{
	size_t i;

	for (i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++)
		if (accept_keyword(in, keywords[i].word))
			return keywords[i].parse;
	return NULL;
}
