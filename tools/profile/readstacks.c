/*
 * Reading call paths: the texts of kpstack(5), ticks, of kpwait(5), microseconds of waits, and of
 * kpmem(5), bytes of memory.
 * They are folded paths of addresses, and differ in their comments and modes.
 */
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/profile/readpath.h"

/* The text, and what its comments say. */
struct reader {
	struct pathtext text;
	const char *last, *sum; /* words of the last line; sum tells what the counts add up to */
	uint64_t total;
	uint64_t times; /* how many waits the next line is of; 0: no line has told */
	bool ended, told; /* a line had the one, the other: kpstack may do without */
};

/* Take what the lines of gnomon record say in their own words. */
static void take_record(struct reader *r)
{
	struct pathtext *t = &r->text;

	if (readpath_recorded(t))
		r->last = r->sum = " instructions=";
}

/*
 * Take what a comment says of the whole, or of the clock: its ticks are not the sum of the paths,
 * for they may be of one process only. Unknown words are for others.
 */
static void stacks_comment(struct reader *r)
{
	struct pathtext *t = &r->text;
	uint64_t us, n;

	if (readpath_key(t, "# count=", &r->times))
		return;
	if (textline_begins(&t->t, "# clock=") || textline_begins(&t->t, "# cpu=")) {
		runinfo_words(&t->p->run, "kprof", t->t.line, t->t.n);
		return;
	}
	if (readpath_key(t, "period_us=", &us) && us < UINT32_MAX)
		t->p->us = us;
	if (!t->p->total)
		take_record(r);
	r->ended |= readpath_key(t, r->last, &n);
	r->told |= readpath_key(t, r->sum, &r->total);
	readpath_head(t, "# kp");
}

/* Read a number that is all of the rest of a line. */
static bool whole_number(const struct textline *t, const char *at, uint64_t *v)
{
	const char *end = t->line + t->n;

	return textline_number(&at, end, 10, UINT64_MAX, v) && at == end;
}

/* Read a line that is no comment. */
static int stacks_line(struct reader *r)
{
	struct textline *t = &r->text.t;
	struct profdata *p = r->text.p;
	const char *blank = memrchr(t->line, ' ', t->n);
	struct profdata_sample like = {.count = 0};
	long n;

	if (!t->whole || !blank || !whole_number(t, blank + 1, &like.count))
		return readpath_expected(&r->text, "a path, a blank and a count");
	if (p->total > UINT64_MAX - like.count)
		return complain(r->text.why, "line %u: the counts add up to 2^64 or more",
				t->number);
	if (textline_is(t->line, blank - t->line, "[overflow]")) {
		profdata_add_mode(p, PROFDATA_NPATH, like.count);
		return 0;
	}
	like.times = (uint32_t)order_min(r->times, UINT32_MAX);
	r->times = 0;
	n = readpath(&r->text, t->line, blank, &like);
	if (n <= 0)
		return -1;
	profdata_add(p, &like, r->text.frame, n);
	return 0;
}

/* Read all lines, and check that they are what the comments say. */
static int stacks_lines(struct reader *r)
{
	struct pathtext *t = &r->text;
	const char *unit = profdata_unit_name[t->p->unit];

	while (textline_next(&t->t)) {
		if (textline_begins(&t->t, "# damaged "))
			return complain(t->why, "line %u: the kernel found its table of paths "
					"damaged, and the rest is not known", t->t.number);
		if (readpath_is_comment(t))
			stacks_comment(r);
		else if (stacks_line(r) < 0)
			return -1;
	}
	if (!r->ended && t->version)
		return complain(t->why, "after line %u: truncated: no line tells how many %s "
				"there are", t->t.number, unit);
	if (r->told && r->total != t->p->total)
		return complain(t->why, "after line %u: truncated or damaged: %llu %s expected, "
				"the lines have %llu", t->t.number, (unsigned long long)r->total,
				unit, (unsigned long long)t->p->total);
	return 0;
}

/* Read the file into p, whose unit is known. There is a bit for each mode that it may name. */
static int read_file(struct profdata *p, const struct profread_file *f, const char *last,
		     const char *sum, uint32_t modes, struct complaint *why)
{
	struct reader r = {.last = last, .sum = sum};
	int bad;

	readpath_init(&r.text, p, f, why);
	r.text.modes = modes;
	bad = stacks_lines(&r);
	readpath_free(&r.text);
	if (bad)
		profdata_free(p);
	return bad;
}

int profread_stacks(struct profdata *p, const struct profread_file *f, struct complaint *why)
{
	profdata_init(p, "stacks", PROFDATA_TICKS);
	return read_file(p, f, " ticks=", " ticks=", ~(PROFDATA_WAITING | PROFDATA_MEMORY), why);
}

int profread_waits(struct profdata *p, const struct profread_file *f, struct complaint *why)
{
	profdata_init(p, "waits", PROFDATA_MICROSECONDS);
	p->us = 1;
	return read_file(p, f, " waits=", " total_us=", PROFDATA_WAITING, why);
}

int profread_memory(struct profdata *p, const struct profread_file *f, struct complaint *why)
{
	profdata_init(p, "memory", PROFDATA_BYTES);
	return read_file(p, f, " blocks=", " total_bytes=", PROFDATA_MEMORY, why);
}

/* The text begins with the comment that names it, or with a path. */
bool profread_is_stacks(const uint8_t *data, size_t n)
{
	const uint8_t *newline, *mode;

	if (textline_starts(data, n, "# kpstack"))
		return true;
	newline = memchr(data, '\n', n);
	if (newline)
		n = (size_t)(newline - data);
	mode = memmem(data, n, ";[", 2);
	return mode && memchr(data, 0, mode - data) == NULL;
}

bool profread_is_waits(const uint8_t *data, size_t n)
{
	return textline_starts(data, n, "# kpwait");
}

bool profread_is_memory(const uint8_t *data, size_t n)
{
	return textline_starts(data, n, "# kpmem");
}
