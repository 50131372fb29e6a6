/* Reading the counts of modules: modules(5), which prof(1), cprof(1) and mprof(1) write. */
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/profile/profread.h"
#include "tools/profile/textline.h"

static const char head[] = "gnomon modules ";

#define WORDS 5

/* The text, and how far it has been read. */
struct reader {
	struct profdata *p;
	struct textline t;
	struct complaint *why;
	uint32_t image, base; /* the current module, and the address of its text */
	uint64_t next;	      /* the lowest program counter that may follow */
};

/* Complain that the line should be something else. */
static int expected(struct reader *r, const char *what)
{
	return textline_expected(&r->t, what, r->why);
}

/*
 * Copy the first WORDS words of the line, which blanks separate. Return how many it has: none if
 * there is a NUL in it, which would end a word early.
 */
static size_t split(const struct reader *r, char *word[WORDS])
{
	const char *at = r->t.line, *end = at + r->t.n, *blank;
	size_t n = 0;

	if (memchr(at, 0, r->t.n))
		return 0;
	for (; at <= end; at = blank + 1, n++) {
		blank = memchr(at, ' ', end - at);
		blank = blank ? blank : end;
		if (n < WORDS)
			word[n] = memory_string(at, blank - at);
	}
	return n;
}

/* Free the words. */
static void free_words(char *word[WORDS])
{
	size_t i;

	for (i = 0; i < WORDS; i++)
		free(word[i]);
}

/* Turn each \ooo, an octal number, back into the character that it stands for. */
static void unescape(char *s)
{
	char *to = s;

	for (; *s; s++) {
		if (s[0] == '\\' && strspn(s + 1, "01234567") >= 3) {
			*to++ = (s[1] - '0') << 6 | (s[2] - '0') << 3 | (s[3] - '0');
			s += 3;
		} else {
			*to++ = *s;
		}
	}
	*to = 0;
}

/* Read the first line: "gnomon modules 1 KIND INTERVAL". */
static int first(struct reader *r)
{
	static const struct {
		const char *kind;
		enum profdata_unit unit;
	} kind[] = {
		{"sampling", PROFDATA_TICKS},
		{"coverage", PROFDATA_INSTRUCTIONS},
		{"memory", PROFDATA_BYTES},
	};
	char *word[WORDS] = {NULL};
	uint64_t us;
	const char *at;
	size_t i = 3;
	bool good = textline_next(&r->t) && r->t.whole && split(r, word) == 5 &&
		    strcmp(word[2], "1") == 0;

	for (i = 0; good && i < 3 && strcmp(word[3], kind[i].kind) != 0;)
		i++;
	at = good ? word[4] : "";
	if (good && i < 3 && textline_number(&at, at + strlen(at), 10, UINT32_MAX, &us) && !*at) {
		r->p->unit = kind[i].unit;
		r->p->us = r->p->unit == PROFDATA_TICKS ? us : 0;
	} else {
		expected(r, "\"gnomon modules 1 KIND INTERVAL\", KIND sampling, coverage or "
			 "memory");
		good = false;
	}
	free_words(word);
	return good ? 0 : -1;
}

/* Take a module's line, cut into words. */
static int module_words(struct reader *r, char *word[WORDS])
{
	struct profdata_image *image;
	const char *at = word[3];
	uint64_t base = 0;
	bool known = strcmp(at, "-") != 0;

	if (known && (!textline_number(&at, at + strlen(at), 16, UINT32_MAX, &base) || *at))
		return expected(r, "an address of eight hexadecimal digits in the fourth word");
	if (strcmp(word[4], "-") != 0 && strlen(word[4]) != 40)
		return expected(r, "a build id of 40 digits in the fifth word");
	unescape(word[1]);
	unescape(word[2]);
	r->image = profdata_image(r->p, word[1], word[2],
				  strcmp(word[4], "-") != 0 ? word[4] : "",
				  strcmp(word[1], "kernel") == 0);
	image = &r->p->image[r->image];
	image->relative = !known;
	r->base = base;
	r->next = 0;
	return 0;
}

/* Read a line "module NAME PATH TEXTADDR BUILDID". */
static int module(struct reader *r)
{
	char *word[WORDS] = {NULL};
	int bad;

	if (split(r, word) == WORDS)
		bad = module_words(r, word);
	else
		bad = expected(r, "\"module NAME PATH TEXTADDR BUILDID\"");
	free_words(word);
	return bad;
}

/* Read a line "PC COUNT", ascending. */
static int pair(struct reader *r)
{
	const char *at = r->t.line, *end = at + r->t.n;
	uint64_t pc, count;
	bool good = r->t.whole && r->image != PROFDATA_NONE &&
		    textline_number(&at, end, 10, UINT32_MAX - r->base, &pc) && at < end &&
		    *at++ == ' ' && textline_number(&at, end, 10, UINT32_MAX, &count) && at == end;

	if (!good)
		return expected(r, r->image == PROFDATA_NONE ? "a module's line" :
				   "\"PC COUNT\", two decimal numbers");
	if (pc < r->next || count == 0)
		return expected(r, "a greater PC than the line before, and a count that is not 0");
	profdata_add_pc(r->p, r->image, r->base + pc, 1, count);
	r->next = pc + 1;
	return 0;
}

/* Read all lines. */
static int lines(struct reader *r)
{
	static const char word[] = "module ";

	if (first(r) < 0)
		return -1;
	while (textline_next(&r->t)) {
		bool is_module = r->t.n >= 7 && memcmp(r->t.line, word, 7) == 0;

		if (is_module && !r->t.whole)
			return expected(r, "a whole line");
		if ((is_module ? module(r) : pair(r)) < 0)
			return -1;
	}
	return 0;
}

int profread_modules(struct profdata *p, const struct profread_file *f, struct complaint *why)
{
	struct reader r = {.p = p, .why = why, .image = PROFDATA_NONE};

	profdata_init(p, "modules", PROFDATA_TICKS);
	textline_init(&r.t, f->data, f->n);
	if (lines(&r) == 0)
		return 0;
	profdata_free(p);
	return -1;
}

/* Its first two words tell. */
bool profread_is_modules(const uint8_t *data, size_t n)
{
	return n >= sizeof(head) - 1 && memcmp(data, head, sizeof(head) - 1) == 0;
}
