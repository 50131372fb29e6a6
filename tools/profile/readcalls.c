/*
 * Reading durations of calls, the text of kpcall(5): a line that tells of the file; for each CPU
 * one that tells of it and then its pairs; and a line that tells how many pairs there were, without
 * which the file is refused as cut short. Who knows arcs or samples alone finds the pairs as these,
 * too.
 */
#include <stdlib.h>
#include <string.h>
#include "tools/profile/readpath.h"

#define HEAD "# kpcall"
#define MAX_CPUS 4096

/* The text, and how far it has been read. */
struct reader {
	struct pathtext text;
	struct calls_times sum;
	uint64_t cpus;	/* that the first line promises */
	bool ended;	/* the last line was read */
};

/* Take what the first line says. */
static int calls_head(struct reader *r)
{
	struct pathtext *t = &r->text;
	struct calls *c = &t->p->timed;

	readpath_head(t, HEAD);
	if (t->version != 1)
		return complain(t->why, "line 1: version %llu of the format; this reads version 1",
				(unsigned long long)t->version);
	if (!readpath_key(t, " cpus=", &r->cpus) || r->cpus == 0 || r->cpus > MAX_CPUS)
		return readpath_expected(t, "cpus=N");
	if (!readpath_key(t, " per_ms=", &c->per_ms) || c->per_ms == 0)
		return readpath_expected(t, "per_ms=N, the units of a millisecond,");
	readpath_key(t, " cost=", &c->cost);
	t->p->us = 1000.0 / (double)c->per_ms;
	return 0;
}

/* Take what a CPU's line says. They come in the order of their numbers. */
static int calls_cpu_line(struct reader *r)
{
	static const char expected[] = "# cpu=N inside=N lost=N left=N of the next CPU";
	struct pathtext *t = &r->text;
	struct calls *c = &t->p->timed;
	struct calls_cpu of;
	uint64_t cpu;

	if (!readpath_key(t, " cpu=", &cpu) || !readpath_key(t, " inside=", &of.inside))
		return readpath_expected(t, expected);
	if (!readpath_key(t, " lost=", &of.lost) || !readpath_key(t, " left=", &of.left))
		return readpath_expected(t, expected);
	if (cpu != c->ncpu || cpu >= r->cpus)
		return readpath_expected(t, expected);
	calls_append_cpu(c, cpu, &of);
	return 0;
}

/* Take the last line. */
static int calls_end(struct reader *r)
{
	struct pathtext *t = &r->text;
	uint64_t pairs;

	if (!readpath_key(t, " pairs=", &pairs))
		return readpath_expected(t, "# pairs=N");
	if (pairs != t->p->timed.n)
		return complain(t->why, "line %u: damaged: %llu pairs expected, there are %zu",
				t->t.number, (unsigned long long)pairs, t->p->timed.n);
	r->ended = true;
	return 0;
}

/* Take a line that tells of the file, or of a processor. */
static int calls_comment(struct reader *r)
{
	struct pathtext *t = &r->text;

	if (!t->version)
		return calls_head(r);
	if (textline_begins(&t->t, "# cpu="))
		return calls_cpu_line(r);
	if (textline_begins(&t->t, "# pairs="))
		return calls_end(r);
	return 0; /* for others */
}

/* Take a character, and a number after it. */
static bool calls_number(const char **at, const char *end, char before, uint64_t *v)
{
	if (*at == end || **at != before)
		return false;
	(*at)++;
	return textline_number(at, end, 10, UINT64_MAX, v);
}

/* Take ";0x" and an address of 8 or 16 digits, as many as others have. */
static bool calls_address(struct profdata *p, const char **at, const char *end, code_addr *pc)
{
	const char *digits = *at + 3;
	uint64_t v;
	unsigned width;

	if (!textline_starts(*at, (size_t)(end - *at), ";0x"))
		return false;
	*at = digits;
	if (!textline_number(at, end, 16, UINT64_MAX, &v))
		return false;
	width = (unsigned)(*at - digits) / 2;
	if (*at - digits != 8 && *at - digits != 16)
		return false;
	if (p->width && p->width != width)
		return false;
	p->width = width;
	*pc = v;
	return true;
}

/* Take the histogram, whose cells ascend: " 14:1 15:2". Its sum is the number of calls. */
static bool calls_histogram(const char **at, const char *end, struct calls_times *times)
{
	uint64_t next = 0, cell, sum = 0, n;

	while (*at < end) {
		if (!calls_number(at, end, ' ', &cell) || !calls_number(at, end, ':', &n))
			return false;
		if (cell < next || cell >= CALLS_SPANS)
			return false;
		next = cell + 1;
		times->span[cell] = n;
		if (n > UINT64_MAX - sum)
			return false;
		sum += n;
	}
	return sum == times->count;
}

/* Take the numbers of a pair. */
static bool calls_take_times(const char *at, const char *end, struct calls_times *times)
{
	uint64_t *const number[] = {
		&times->count, &times->total, &times->self, &times->asleep, &times->shortest,
		&times->longest,
	};
	size_t i;

	for (i = 0; i < sizeof(number) / sizeof(number[0]); i++)
		if (!calls_number(&at, end, ' ', number[i]))
			return false;
	if (times->self > times->total || times->shortest > times->longest)
		return false;
	return calls_histogram(&at, end, times);
}

/* Keep a pair, also as an arc, and as time in the function. */
static void calls_keep(struct reader *r, const struct calls_pair *pair)
{
	struct profdata *p = r->text.p;
	struct profdata_sample like = {
		.count = pair->times.self, .mode = PROFDATA_KERNEL, .process = PROFDATA_NONE,
	};

	calls_append(&p->timed, pair);
	profdata_add(p, &like, &(struct profdata_frame){
					.pc = pair->selfpc, .image = pair->image, .span = 1,
				}, 1);
	profdata_add_arc(p, &(struct profdata_arc){
					.frompc = pair->frompc, .selfpc = pair->selfpc,
					.image = pair->image, .count = pair->times.count,
				});
}

/* Read a pair: "0;0xc010b160;0xc010a205 3 81520 1520 9000000 17520 40000 14:1 15:2". */
static int calls_line(struct reader *r)
{
	struct pathtext *t = &r->text;
	const char *at = t->t.line, *end = at + t->t.n;
	struct calls_pair pair = {.image = t->kernel};
	uint64_t cpu;
	bool good = t->t.whole && t->version && !r->ended;

	if (!good || !textline_number(&at, end, 10, UINT32_MAX, &cpu))
		return readpath_expected(t, "CPU;0xFROM;0xFUNCTION and its numbers");
	if (cpu + 1 != t->p->timed.ncpu)
		return readpath_expected(t, "a pair of the CPU in the line \"# cpu=\" before");
	pair.cpu = (uint32_t)cpu;
	if (!calls_address(t->p, &at, end, &pair.frompc) ||
	    !calls_address(t->p, &at, end, &pair.selfpc))
		return readpath_expected(t, "CPU;0xFROM;0xFUNCTION, addresses of one width,");
	if (!calls_take_times(at, end, &pair.times))
		return readpath_expected(t, "CALLS TOTAL SELF AWAY SHORTEST LONGEST and a "
					 "histogram of as many calls");
	if (!calls_add(&r->sum, &pair.times))
		return complain(t->why, "line %u: the counts add up to 2^64 or more",
				t->t.number);
	calls_keep(r, &pair);
	return 0;
}

/* Read all lines. */
static int calls_lines(struct reader *r)
{
	struct pathtext *t = &r->text;
	int bad = 0;

	while (!bad && textline_next(&t->t)) {
		if (readpath_is_comment(t))
			bad = calls_comment(r);
		else
			bad = calls_line(r);
	}
	if (bad)
		return bad;
	if (!r->ended)
		return complain(t->why, "after line %u: truncated: no line tells how many pairs "
				"there are", t->t.number);
	if (t->p->timed.ncpu < r->cpus)
		return complain(t->why, "after line %u: truncated: CPUs are missing",
				t->t.number);
	return 0;
}

int profread_calls(struct profdata *p, const struct profread_file *f, struct complaint *why)
{
	struct reader r = {.cpus = 0};
	int bad;

	profdata_init(p, "calls", PROFDATA_CYCLES);
	readpath_init(&r.text, p, f, why);
	bad = calls_lines(&r);
	readpath_free(&r.text);
	if (bad)
		profdata_free(p);
	return bad;
}

bool profread_is_calls(const uint8_t *data, size_t n)
{
	return textline_starts(data, n, HEAD);
}
