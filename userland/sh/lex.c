/*
 * Reading characters: blanks, comments, keywords, the texts of here documents, and what to say when
 * one is out of place.
 * There are no tokens: what a character means depends on where the parser is.
 */
#include "userland/sh/sh.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Return the next character and leave it, or EOF at the end and after a syntax error. */
int peek(struct source *in)
{
	if (in->failed)
		return EOF;
	while (in->at == in->text.len) {
		if (in->ended)
			return EOF;
		if (!in->more || !in->more(in)) {
			in->ended = !in->failed;
			return EOF;
		}
	}
	return (unsigned char)in->text.text[in->at];
}

/* Return the character after the next one, or EOF at the end of what has been read so far. */
int peek2(struct source *in)
{
	if (peek(in) == EOF || in->at + 1 >= in->text.len)
		return EOF;
	return (unsigned char)in->text.text[in->at + 1];
}

/* Take a character and return it. Lines are counted here. */
int next(struct source *in)
{
	int c = peek(in);

	if (c == EOF)
		return EOF;
	in->at++;
	in->inside = true;
	if (c == '\n')
		in->line++;
	return c;
}

/* Skip what is left of a line but its newline, which still ends the command. */
static void skip_line(struct source *in)
{
	while (peek(in) != EOF && peek(in) != '\n')
		next(in);
}

/* Skip blanks, backslashes that continue a line, and a comment. */
void skip_blank(struct source *in)
{
	for (;;) {
		int c = peek(in);

		if (c == '#') {
			skip_line(in);
		} else if (c == ' ' || c == '\t' || c == '\r') {
			next(in);
		} else if (c == '\\' && peek2(in) == '\n') {
			next(in);
			next(in);
		} else {
			return;
		}
	}
}

/* Return whether a word comes next in this line, and then one of the ends, or the text's end. */
static bool at_line(const struct source *in, const char *word, const char *ends)
{
	const char *s = in->text.text + in->at;
	size_t n = strlen(word);

	return strncmp(s, word, n) == 0 && strchr(ends, s[n]);
}

/* Read the text of a here document, and the line after it, which is the mark. */
static void read_here(struct source *in, struct redir *r)
{
	const char *mark = r->file->text;
	size_t start = in->at;

	while (peek(in) != EOF && !at_line(in, mark, "\n")) {
		skip_line(in);
		next(in);
	}
	if (peek(in) == EOF)
		syntax_error(in, "syntax error: unexpected end: '%s' is missing: <<%s in line %d",
			     mark, mark, r->file->line);
	r->text = arena_text(in->mem, in->text.text + start, in->at - start);
	accept_keyword(in, mark);
	next(in);
}

/* Take a newline. The texts of the here documents in the line follow it, one by one. */
void end_line(struct source *in)
{
	next(in);
	for (; in->heres && !in->failed; in->heres = in->heres->after)
		read_here(in, in->heres);
}

/* Skip newlines as well, where a command must go on. */
void skip_space(struct source *in)
{
	for (skip_blank(in); peek(in) == '\n'; skip_blank(in))
		end_line(in);
}

/* Return whether c may be in a variable's name. */
bool is_name_char(int c)
{
	return c != EOF && (isalnum(c) || c == '_');
}

/* Return whether c stands for itself in a word. */
bool is_word_char(int c)
{
	return c != EOF && c != 0 && !strchr(" \t\r\n;&|<>(){}`'\"$^", c);
}

/* Return whether a keyword comes next, as a whole word. */
bool at_keyword(struct source *in, const char *word)
{
	return peek(in) != EOF && at_line(in, word, " \t\r\n;&|<>(){}");
}

/* Take the keyword if it comes next. */
bool accept_keyword(struct source *in, const char *word)
{
	if (!at_keyword(in, word))
		return false;
	in->at += strlen(word);
	in->inside = true;
	return true;
}

/*
 * Take c, after blanks. If it is not there, report that, with the form it belongs to, and
 * return false.
 */
bool expect(struct source *in, int c, const char *why)
{
	skip_blank(in);
	if (peek(in) == c) {
		next(in);
		return true;
	}
	if (peek(in) == EOF || peek(in) == '\n')
		syntax_error(in, "syntax error: '%c' is missing: %s", c, why);
	else
		syntax_error(in, "syntax error near '%c': '%c' is missing: %s", peek(in), c, why);
	return false;
}

/* Report that the next character cannot stand there. Habits from other shells get a hint. */
void syntax_near(struct source *in)
{
	int c = peek(in);

	if (c == EOF)
		syntax_error(in, "syntax error: unexpected end");
	else if (c == '\n')
		syntax_error(in, "syntax error near the end of the line");
	else if (c == '(')
		syntax_error(in, "syntax error near '(' (a function is fn NAME {...}, "
				 "output is `{...}, a list stands by itself)");
	else if (c == '&')
		syntax_error(in, "syntax error near '&' (to join files: >[2=1])");
	else
		syntax_error(in, "syntax error near '%c'", c);
}
