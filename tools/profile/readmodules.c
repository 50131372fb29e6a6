/* Reading the counts of modules: modules(5), which prof(1), cprof(1) and mprof(1) write. */
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/profile/profread.h"
#include "tools/profile/textline.h"

static const char head[] = "gnomon modules ";

#define WORDS 5
#define NKINDS 4

/* The text, and how far it has been read. */
struct reader {
	struct profdata *p;
	struct textline t;
	struct complaint *why;
	uint32_t image;	  /* the current module */
	uint64_t base;	  /* the address of its text */
	uint64_t next;	      /* the lowest program counter that may follow */
	bool memory;	      /* each place has five numbers */
	uint64_t bytes, blocks; /* that were ever allocated so far */
	bool ended;	      /* the last line was read */
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
static size_t split_words(const struct reader *r, char *word[WORDS])
{
	const char *at = r->t.line, *end = at + r->t.n, *blank;
	size_t n = 0;

	if (memchr(at, 0, r->t.n))
		return 0;
	for (; at <= end; at = blank + 1, n++) {
		blank = memchr(at, ' ', end - at);
		if (!blank)
			blank = end;
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

/* Read a number that is all of a word. */
static bool whole_number(const char *word, unsigned base, uint64_t most, uint64_t *v)
{
	return textline_number(&word, word + strlen(word), base, most, v) && !*word;
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

/* Take the kind and the interval of the first line. False: they are none. */
static bool take_kind(struct profdata *p, const char *name, const char *interval)
{
	static const struct {
		const char *kind;
		enum profdata_unit unit;
	} kind[NKINDS] = {
		{"sampling", PROFDATA_TICKS},
		{"coverage", PROFDATA_INSTRUCTIONS},
		{"memory", PROFDATA_BYTES},
		{"executed", PROFDATA_EXECUTED},
	};
	uint64_t us;
	size_t i = 0;

	while (i < NKINDS && strcmp(name, kind[i].kind) != 0)
		i++;
	if (i == NKINDS || !whole_number(interval, 10, UINT32_MAX, &us))
		return false;
	p->unit = kind[i].unit;
	if (p->unit == PROFDATA_TICKS)
		p->us = us;
	return true;
}

/*
 * Take the version: the first one has no last line, and since the third one places of memory have
 * five numbers. False: there is no such version.
 */
static bool take_version(struct reader *r, const char *version)
{
	if (strcmp(version, "1") == 0)
		r->p->unsure = "an old file, which does not tell whether it is whole";
	r->memory = strcmp(version, "3") == 0;
	return r->p->unsure || r->memory || strcmp(version, "2") == 0;
}

/* Read the first line: "gnomon modules VERSION KIND INTERVAL". */
static int modules_first(struct reader *r)
{
	char *word[WORDS] = {NULL};
	bool good = textline_next(&r->t) && r->t.whole && textline_begins(&r->t, head);

	if (good && split_words(r, word) == 5 && take_version(r, word[2]))
		good = take_kind(r->p, word[3], word[4]);
	else
		good = false;
	r->memory &= r->p->unit == PROFDATA_BYTES;
	free_words(word);
	if (!good)
		return expected(r, "\"gnomon modules 3 KIND INTERVAL\", KIND sampling, coverage, "
				"memory or executed");
	return 0;
}

/* Only gnomon record knows machines of 64 bits, and counts that are as wide. */
static uint64_t most_address(const struct profdata *p)
{
	if (p->unit == PROFDATA_EXECUTED)
		return UINT64_MAX;
	return UINT32_MAX;
}

/* Take a module's line, cut into words. */
static int module_words(struct reader *r, char *word[WORDS])
{
	struct profdata_image *image;
	const char *id = word[4];
	uint64_t base = 0;
	bool known = strcmp(word[3], "-") != 0;

	if (known && !whole_number(word[3], 16, most_address(r->p), &base))
		return expected(r, "an address of eight hexadecimal digits in the fourth word");
	if (strcmp(id, "-") == 0)
		id = "";
	else if (strlen(id) != 40)
		return expected(r, "a build id of 40 digits in the fifth word");
	unescape(word[1]);
	unescape(word[2]);
	r->image = profdata_image(r->p, word[1], word[2], id, strcmp(word[1], "kernel") == 0);
	image = &r->p->image[r->image];
	image->relative = !known;
	image->recorded = r->p->unit == PROFDATA_EXECUTED; /* and so the path is the host's */
	r->base = base;
	r->next = 0;
	return 0;
}

/* Read a line "module NAME PATH TEXTADDR BUILDID". */
static int modules_module(struct reader *r)
{
	char *word[WORDS] = {NULL};
	int bad;

	if (split_words(r, word) == WORDS)
		bad = module_words(r, word);
	else
		bad = expected(r, "\"module NAME PATH TEXTADDR BUILDID\"");
	free_words(word);
	return bad;
}

/* Go on after a blank. False: there is none. */
static bool take_blank(const char **at, const char *end)
{
	return *at < end && *(*at)++ == ' ';
}

/* Read the n numbers of a line, of which the first is an offset. False: it is not of that form. */
static bool numbers(const struct reader *r, uint64_t *number, size_t n)
{
	uint64_t most = most_address(r->p) - r->base;
	const char *at = r->t.line, *end = at + r->t.n;

	for (size_t i = 0; i < n; i++) {
		if (i > 0 && !take_blank(&at, end))
			return false;
		if (!textline_number(&at, end, 10, most, &number[i]))
			return false;
		most = r->memory ? UINT64_MAX : most_address(r->p);
	}
	return at == end;
}

/* Take a line "PC COUNT", ascending. */
static int modules_pair(struct reader *r)
{
	uint64_t number[2];

	if (!r->t.whole || !numbers(r, number, 2))
		return expected(r, "\"PC COUNT\", two decimal numbers");
	if (number[0] < r->next || number[1] == 0)
		return expected(r, "a greater PC than the line before, and a count that is not 0");
	if (number[1] > UINT64_MAX - r->p->total)
		return expected(r, "counts that add up to less than 2^64");
	profdata_add_pc(r->p, r->image, r->base + number[0], 1, number[1]);
	r->next = number[0] + 1;
	return 0;
}

/* Take a line "PC BYTES BLOCKS TOTAL ALLOCATED", ascending. */
static int modules_place(struct reader *r)
{
	struct profdata_memory memory;
	uint64_t number[5];

	if (!r->t.whole || !numbers(r, number, 5))
		return expected(r, "\"PC BYTES BLOCKS TOTAL ALLOCATED\", five decimal numbers");
	if (number[0] < r->next)
		return expected(r, "a greater PC than the line before");
	if (number[1] > number[3] || number[2] > number[4])
		return expected(r, "no more in use than was ever allocated");
	if (number[3] > INT64_MAX - r->bytes || number[4] > INT64_MAX - r->blocks)
		return expected(r, "less than 2^63 bytes, and blocks, in all");
	r->bytes += number[3];
	r->blocks += number[4];
	memory = (struct profdata_memory){
		.blocks = number[2], .total = number[3], .allocated = number[4],
	};
	profdata_add_memory(r->p, r->image, r->base + number[0], number[1], &memory);
	r->next = number[0] + 1;
	return 0;
}

/* Read a line of counts. */
static int modules_counts(struct reader *r)
{
	if (r->image == PROFDATA_NONE)
		return expected(r, "a module's line");
	return r->memory ? modules_place(r) : modules_pair(r);
}

/* Read the last line, "end LINES": how many there are before it. */
static int modules_end(struct reader *r)
{
	const char *at = r->t.line + strlen("end "), *end = r->t.line + r->t.n;
	uint64_t lines;

	if (!r->t.whole || !textline_number(&at, end, 10, UINT32_MAX, &lines) || at != end)
		return expected(r, "\"end LINES\"");
	if (lines != r->t.number - 1)
		return expected(r, "as many lines before it as it says");
	r->ended = true;
	return 0;
}

/* Read a line that is not the first. */
static int modules_line(struct reader *r)
{
	if (r->ended)
		return expected(r, "nothing after the line that says \"end\"");
	if (!r->p->unsure && textline_begins(&r->t, "end "))
		return modules_end(r);
	if (!textline_begins(&r->t, "module "))
		return modules_counts(r);
	if (!r->t.whole)
		return expected(r, "a whole line");
	return modules_module(r);
}

/* Read all lines. */
static int modules_lines(struct reader *r)
{
	if (modules_first(r) < 0)
		return -1;
	while (textline_next(&r->t))
		if (modules_line(r) < 0)
			return -1;
	if (r->ended || r->p->unsure)
		return 0;
	return complain(r->why, "the last line, \"end LINES\", is missing: the file was cut");
}

int profread_modules(struct profdata *p, const struct profread_file *f, struct complaint *why)
{
	struct reader r = {.p = p, .why = why, .image = PROFDATA_NONE};

	profdata_init(p, "modules", PROFDATA_TICKS);
	textline_init(&r.t, f->data, f->n);
	if (modules_lines(&r) == 0)
		return 0;
	profdata_free(p);
	return -1;
}

/* Its first two words tell. */
bool profread_is_modules(const uint8_t *data, size_t n)
{
	return textline_starts(data, n, head);
}
