/*
 * Regular expressions. A pattern becomes a program for a machine with many threads (an
 * NFA): each instruction takes one character or sends the thread on. All the threads look
 * at a character before any looks at the next, so no pattern makes it slow.
 * Optimize: speed.
 */
#include "userland/text/pattern.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CODE_MAX 500 /* instructions */
#define DEPTH_MAX 50 /* parentheses in parentheses */

/*
 * SET takes a character that is in its set; BEGIN and END take none, at the line's begin or end
 * only; SPLIT goes on at two places, JUMP at another one; MATCH is the end of the program.
 */
enum op { SET, BEGIN, END, SPLIT, JUMP, MATCH };

struct insn {
	enum op op;
	int x, y;	 /* where SPLIT and JUMP go on, relative to themselves */
	uint32_t set[8]; /* the characters that SET takes, a bit each */
};

/* The threads that have come to one place of the text: the instructions they are at, each once. */
struct threads {
	int n, at[CODE_MAX];
};

struct pattern {
	struct insn code[CODE_MAX];
	int len;
	struct threads lists[2];
	unsigned generation;	  /* of the newest list */
	unsigned mark[CODE_MAX];  /* the generation in which an instruction was last listed */
	bool first[256];	  /* the bytes that a match inside a line can begin with */
	bool skips;		  /* first can be used: a match inside a line is not empty */
};

struct parser {
	struct pattern *p;
	const char *s;	   /* what is left of the expression */
	const char *error; /* what is wrong with it, or NULL */
	bool extended, fold;
	int depth; /* of parentheses */
};

/* Note what is wrong, if it is the first fault, and end the expression, which ends the parser. */
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

/*
 * Make room for n instructions at an index and return the first of them. What is there moves up,
 * which does not hurt it, since jumps are relative. With a program that is too long the room is at
 * its beginning, so that the caller can write to it all the same.
 */
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

/* Append a SET. If case does not matter, a letter brings its other form along. */
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

/* Add the character, or the range, at a->s to the set of a bracket expression; false: a mistake. */
static bool parse_range(struct parser *a, uint32_t set[8])
{
	unsigned char low = *a->s, high = low;

	if (a->s[0] == '[' && (a->s[1] == ':' || a->s[1] == '.' || a->s[1] == '=')) {
		fail(a, "[: :], [. .] and [= =] are not supported");
		return false;
	}
	if (a->s[1] == '-' && a->s[2] && a->s[2] != ']') {
		high = a->s[2];
		a->s += 2;
	}
	if (low > high) {
		fail(a, "a range that ends before it begins");
		return false;
	}
	for (int c = low; c <= high; c++)
		set_add(set, c);
	return true;
}

/* Parse [...] after its bracket: characters and ranges. A ] that is the first stands for itself. */
static void parse_bracket(struct parser *a)
{
	uint32_t set[8] = { 0 };
	bool inverted = *a->s == '^';
	const char *first = a->s += inverted;

	for (; *a->s && (*a->s != ']' || a->s == first); a->s++)
		if (!parse_range(a, set))
			return;
	if (*a->s != ']') {
		fail(a, "[ without ]");
		return;
	}
	a->s++;
	emit_set(a, set, inverted);
}

/*
 * Return whether an operator, one of ( ) | + ? {, is next, and its length in *length. It is bare in
 * extended expressions and has a backslash before it in basic ones.
 */
static bool is_operator(const struct parser *a, char op, int *length)
{
	*length = a->extended ? 1 : 2;
	return a->extended ? *a->s == op : a->s[0] == '\\' && a->s[1] == op;
}

static void parse_alternatives(struct parser *a);

/* Parse what is between parentheses, and the closing one. */
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

/* Return whether an anchor $ is next: in basic expressions it is one only at an end. */
static bool is_end_anchor(const struct parser *a)
{
	struct parser rest = *a;
	int length;

	rest.s++;
	return *a->s == '$' && (a->extended || !*rest.s || is_operator(&rest, ')', &length) ||
				is_operator(&rest, '|', &length));
}

/* Parse a character, which a backslash takes any special meaning from. */
static void parse_character(struct parser *a)
{
	uint32_t set[8] = { 0 };

	if (*a->s == '\\' && (!*++a->s || isalnum((unsigned char)*a->s))) {
		fail(a, "\\ before nothing, a letter or a digit");
		return;
	}
	set_add(set, *a->s++);
	emit_set(a, set, false);
}

/* Parse a character, set, anchor or group. start says that it is the first of its sequence. */
static void parse_atom(struct parser *a, bool start)
{
	static const uint32_t none[8];
	int length;

	if (is_operator(a, '(', &length)) {
		a->s += length;
		parse_group(a);
	} else if (*a->s == '[') {
		a->s++;
		parse_bracket(a);
	} else if (*a->s == '.') {
		a->s++;
		emit_set(a, none, true);
	} else if (*a->s == '^' && (start || a->extended)) {
		a->s++;
		emit(a, a->p->len, 1)->op = BEGIN;
	} else if (is_end_anchor(a)) {
		a->s++;
		emit(a, a->p->len, 1)->op = END;
	} else {
		parse_character(a);
	}
}

/* Repeat the instructions from start on: * any number of times, + at least once, ? at most once. */
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

/* Parse what repeats the instructions from an index on, if there is anything. */
static void parse_repeats(struct parser *a, int from)
{
	int length;

	while (!a->error) {
		if (is_operator(a, '{', &length)) {
			fail(a, "{ } is not supported");
		} else if (*a->s == '*') {
			a->s++;
			emit_repeat(a, from, '*');
		} else if (is_operator(a, '+', &length) || is_operator(a, '?', &length)) {
			a->s += length;
			emit_repeat(a, from, a->s[-1]);
		} else {
			return;
		}
	}
}

/*
 * Parse atoms one after the other, each with its repetitions. In a basic expression a * stands for
 * itself at the start, and after an anchor there.
 */
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
		if (!start)
			parse_repeats(a, from);
	}
}

/*
 * Parse sequences with | between them. A SPLIT before each but the last leads into it and to the
 * next; a JUMP after it leads past all of them.
 */
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

/*
 * Add a thread, and those it leads to without taking a character. begin and end say that this
 * place of the text is the line's. The recursion is as deep as the program is long, at most: an
 * instruction is listed once.
 */
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

/* Return whether one of the threads has come to the end of the program. */
static bool has_matched(const struct pattern *p, const struct threads *list)
{
	for (int i = 0; i < list->n; i++)
		if (p->code[list->at[i]].op == MATCH)
			return true;
	return false;
}

/* Empty a list, and make all marks old. */
static void new_list(struct pattern *p, struct threads *list)
{
	list->n = 0;
	p->generation++;
}

/* Find out which bytes a match inside a line can begin with: the others can be skipped fast. */
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

/* A thread begins at each place of the text, unless none that begins there could match. */
/* Let the threads look at the character c, after which the line may end. */
static void step(struct pattern *p, struct threads *now, struct threads *next, char c, bool end)
{
	new_list(p, next);
	for (int t = 0; t < now->n; t++)
		if (set_has(p->code[now->at[t]].set, c))
			add(p, next, now->at[t] + 1, false, end);
}

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
		step(p, now, next, line[i], i + 1 == n);
		now = next;
		next = old;
	}
}

/* Return the bytes of the longest match that begins at line[at]: 0, too, if there is none. */
static size_t longest(struct pattern *p, const char *line, size_t n, size_t at)
{
	size_t i = at, len = 0;
	unsigned turn = 0;

	new_list(p, &p->lists[0]);
	add(p, &p->lists[0], 0, at == 0, at == n);
	while (i < n && p->lists[turn].n > 0) {
		step(p, &p->lists[turn], &p->lists[!turn], line[i], i + 1 == n);
		turn = !turn;
		i++;
		if (has_matched(p, &p->lists[turn]))
			len = i - at;
	}
	return len;
}

bool pattern_find(struct pattern *p, const char *line, size_t n, size_t *at, size_t *len)
{
	for (; *at < n; ++*at) {
		*len = longest(p, line, n, *at);
		if (*len > 0)
			return true;
	}
	return false;
}

void pattern_free(struct pattern *p)
{
	free(p);
}
