/*
 * Regular expressions. A pattern becomes a program for a machine with many threads (an
 * NFA): each instruction takes one character or sends the thread on. All the threads look
 * at a character before any looks at the next, so no pattern makes it slow.
 */
#include "userland/text/pattern.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CODE_MAX 500 /* instructions */
#define DEPTH_MAX 50  /* parentheses in parentheses */

enum op { SET, BEGIN, END, SPLIT, JUMP, MATCH };

struct insn {
	enum op op;
	int x, y;	  /* where SPLIT and JUMP go on, relative to themselves */
	uint32_t set[8];  /* the characters that SET takes, a bit each */
};

/* Threads at one place of the text: the instructions they stand at, each once. */
struct threads {
	int n, at[CODE_MAX];
};

struct pattern {
	struct insn code[CODE_MAX];
	int len;
	struct threads lists[2];
	unsigned mark[CODE_MAX], generation; /* which instructions stand in the newest list */
	bool first[256];		     /* bytes a match can begin with inside a line */
	bool skips;			     /* first holds: a match has a first byte */
};

struct parser {
	struct pattern *p;
	const char *s;
	const char *error;
	bool extended, fold;
	int depth;
};

/* Notes what is wrong, once, and goes to the end, so that the parser comes back soon. */
static void fail(struct parser *a, const char *why)
{
	if (!a->error)
		a->error = why;
	a->s += strlen(a->s);
}

static void set_add(uint32_t *set, unsigned char c)
{
	set[c >> 5] |= 1u << (c & 31);
}

static bool set_has(const uint32_t *set, unsigned char c)
{
	return set[c >> 5] >> (c & 31) & 1;
}

/* Makes room for n instructions at an index, moving those behind it: jumps are relative. */
static struct insn *emit(struct parser *a, int at, int n)
{
	struct pattern *p = a->p;

	if (a->error || p->len + n > CODE_MAX) {
		fail(a, "too long");
		p->len = at = 0;
	}
	memmove(&p->code[at + n], &p->code[at], (p->len - at) * sizeof(*p->code));
	memset(&p->code[at], 0, n * sizeof(*p->code));
	p->len += n;
	return &p->code[at];
}

/* Ends a set: with no regard to case, a letter brings its other form. */
static void emit_set(struct parser *a, const uint32_t *set, bool inverted)
{
	struct insn *i = emit(a, a->p->len, 1);

	i->op = SET;
	for (int c = 0; c < 256; c++) {
		bool in = set_has(set, c);

		if (a->fold)
			in = in || set_has(set, tolower(c)) || set_has(set, toupper(c));
		if (in != inverted)
			set_add(i->set, c);
	}
}

/* [...]: characters and ranges; ] stands for itself as the first, ^ inverts there. */
static void parse_bracket(struct parser *a)
{
	uint32_t set[8] = { 0 };
	bool inverted = *a->s == '^';
	const char *first = a->s += inverted;

	for (; *a->s && (*a->s != ']' || a->s == first); a->s++) {
		unsigned char low = *a->s, high = low;

		if (a->s[0] == '[' && (a->s[1] == ':' || a->s[1] == '.' || a->s[1] == '=')) {
			fail(a, "[: :], [. .] and [= =] are not supported");
			return;
		}
		if (a->s[1] == '-' && a->s[2] && a->s[2] != ']') {
			high = a->s[2];
			a->s += 2;
		}
		if (low > high) {
			fail(a, "a range that ends before it begins");
			return;
		}
		for (int c = low; c <= high; c++)
			set_add(set, c);
	}
	if (*a->s != ']') {
		fail(a, "[ without ]");
		return;
	}
	a->s++;
	emit_set(a, set, inverted);
}

/*
 * Whether an operator, one of ( ) | + ? {, stands here; *length is what it takes. It is
 * bare in extended expressions and has a backslash before it in basic ones.
 */
static bool is_operator(const struct parser *a, char op, int *length)
{
	*length = a->extended ? 1 : 2;
	return a->extended ? *a->s == op : a->s[0] == '\\' && a->s[1] == op;
}

static void parse_alternatives(struct parser *a);

/* What stands between parentheses, and the closing one. */
static void parse_group(struct parser *a)
{
	int length;

	if (++a->depth > DEPTH_MAX) {
		fail(a, "too many parentheses");
		return;
	}
	parse_alternatives(a);
	a->depth--;
	if (is_operator(a, ')', &length))
		a->s += length;
	else
		fail(a, "( without )");
}

/* $ is an anchor at the end of an expression, and everywhere in extended ones. */
static bool is_end_anchor(const struct parser *a)
{
	struct parser rest = *a;
	int length;

	rest.s++;
	return *a->s == '$' && (a->extended || !*rest.s || is_operator(&rest, ')', &length) ||
				is_operator(&rest, '|', &length));
}

/* One character, set, anchor or group. start says that it is the first of its sequence. */
static void parse_atom(struct parser *a, bool start)
{
	uint32_t set[8] = { 0 };
	int length;

	if (is_operator(a, '(', &length)) {
		a->s += length;
		parse_group(a);
	} else if (*a->s == '[') {
		a->s++;
		parse_bracket(a);
	} else if (*a->s == '.') {
		a->s++;
		emit_set(a, set, true);
	} else if (*a->s == '^' && (start || a->extended)) {
		a->s++;
		emit(a, a->p->len, 1)->op = BEGIN;
	} else if (is_end_anchor(a)) {
		a->s++;
		emit(a, a->p->len, 1)->op = END;
	} else {
		if (*a->s == '\\' && (!*++a->s || isalnum((unsigned char)*a->s))) {
			fail(a, "\\ before nothing, a letter or a digit");
			return;
		}
		set_add(set, *a->s++);
		emit_set(a, set, false);
	}
}

/* Puts what repeats the instructions from start on: zero or more, one or more, or none or one. */
static void emit_repeat(struct parser *a, int start, char op)
{
	int len = a->p->len - start;
	struct insn *i;

	if (op == '+') {
		i = emit(a, a->p->len, 1);
		*i = (struct insn){ .op = SPLIT, .x = -len, .y = 1 };
		return;
	}
	i = emit(a, start, 1);
	*i = (struct insn){ .op = SPLIT, .x = 1, .y = len + (op == '*' ? 2 : 1) };
	if (op == '*') {
		i = emit(a, a->p->len, 1);
		*i = (struct insn){ .op = JUMP, .x = -(len + 1) };
	}
}

/* Atoms one after the other, each with its repetitions. A * at the start stands for itself. */
static void parse_sequence(struct parser *a)
{
	bool start = true;
	int length;

	while (*a->s && !is_operator(a, '|', &length) &&
	       !(is_operator(a, ')', &length) && a->depth > 0)) {
		int from = a->p->len;
		bool anchor = *a->s == '^' && start;

		if (a->extended && strchr("*+?", *a->s)) {
			fail(a, "nothing to repeat");
			return;
		}
		parse_atom(a, start);
		start = anchor && !a->extended;
		while (!start && !a->error) {
			if (is_operator(a, '{', &length)) {
				fail(a, "{ } is not supported");
			} else if (*a->s == '*') {
				a->s++;
				emit_repeat(a, from, '*');
			} else if (is_operator(a, '+', &length) || is_operator(a, '?', &length)) {
				a->s += length;
				emit_repeat(a, from, a->s[-1]);
			} else {
				break;
			}
		}
	}
}

/* Sequences with | between them. */
static void parse_alternatives(struct parser *a)
{
	int start = a->p->len, length;

	parse_sequence(a);
	while (!a->error && is_operator(a, '|', &length)) {
		struct insn *i = emit(a, start, 1);
		int jump = a->p->len;

		*i = (struct insn){ .op = SPLIT, .x = 1, .y = jump + 1 - start };
		a->s += length;
		emit(a, jump, 1)->op = JUMP;
		parse_alternatives(a);
		a->p->code[jump].x = a->p->len - jump;
	}
}

/* Adds a thread, and those it sends on without taking a character. */
static void add(struct pattern *p, struct threads *list, int at, bool begin, bool end)
{
	const struct insn *i = &p->code[at];

	if (p->mark[at] == p->generation)
		return;
	p->mark[at] = p->generation;
	if (i->op == SPLIT || i->op == JUMP)
		add(p, list, at + i->x, begin, end);
	if (i->op == SPLIT)
		add(p, list, at + i->y, begin, end);
	if ((i->op == BEGIN && begin) || (i->op == END && end))
		add(p, list, at + 1, begin, end);
	if (i->op == SET || i->op == MATCH)
		list->at[list->n++] = at;
}

/* Whether one of the threads has come to the end of the program. */
static bool has_matched(const struct pattern *p, const struct threads *list)
{
	for (int i = 0; i < list->n; i++)
		if (p->code[list->at[i]].op == MATCH)
			return true;
	return false;
}

/* Empties a list, which makes all marks old. */
static void new_list(struct pattern *p, struct threads *list)
{
	list->n = 0;
	p->generation++;
}

/* Finds out which bytes a match inside a line can begin with. */
static void find_first(struct pattern *p)
{
	struct threads *list = &p->lists[0];

	new_list(p, list);
	add(p, list, 0, false, true);
	p->skips = !has_matched(p, list);
	for (int c = 0; c < 256; c++)
		for (int i = 0; i < list->n; i++)
			p->first[c] |= set_has(p->code[list->at[i]].set, c);
}

/*
 * Compiles an expression, basic or extended; fold: with no regard to case. Returns NULL
 * with *error saying why it is wrong. To be freed by pattern_free.
 */
struct pattern *pattern_compile(const char *text, bool extended, bool fold, const char **error)
{
	struct parser a = { .s = text, .extended = extended, .fold = fold };

	a.p = calloc(1, sizeof(*a.p));
	if (!a.p) {
		*error = "no memory";
		return NULL;
	}
	parse_alternatives(&a);
	if (!a.error)
		emit(&a, a.p->len, 1)->op = MATCH;
	if (a.error) {
		*error = a.error;
		free(a.p);
		return NULL;
	}
	find_first(a.p);
	return a.p;
}

/* Whether the pattern matches anywhere in a line of n bytes, given without its newline. */
bool pattern_match(struct pattern *p, const char *line, size_t n)
{
	struct threads *now = &p->lists[0], *next = &p->lists[1];

	new_list(p, now);
	for (size_t i = 0;; i++) {
		struct threads *old = now;

		if (now->n == 0 && p->skips && i > 0)
			while (i < n && !p->first[(unsigned char)line[i]])
				i++;
		add(p, now, 0, i == 0, i == n);
		if (has_matched(p, now))
			return true;
		if (i >= n)
			return false;
		new_list(p, next);
		for (int t = 0; t < now->n; t++)
			if (set_has(p->code[now->at[t]].set, line[i]))
				add(p, next, now->at[t] + 1, false, i + 1 == n);
		now = next;
		next = old;
	}
}

/* Frees what pattern_compile returned. */
void pattern_free(struct pattern *p)
{
	free(p);
}
