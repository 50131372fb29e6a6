/*
 * Reading a time line: the text of kptrace(5), which has a line for each tick, and each change of
 * process, that a CPU's ring holds. As a profile it is the paths of these ticks.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "tools/distinct.h"
#include "tools/memory.h"
#include "tools/profile/readpath.h"

/* A path as the text has it; lines with the same one share a sample. */
struct seen {
	uint64_t hash;
	const char *text;
	size_t n;
	uint32_t sample;
};

struct reader {
	struct pathtext text;
	uint64_t cpu, left; /* whose records these are, and how many are still to come */
	uint64_t cpus, had; /* how many CPUs there should be (0: unknown), and were so far */
	uint64_t last;	    /* the time of this CPU's last record */
	struct seen *seen;
	size_t nseen, room_seen, room_record;
	struct distinct known;
};

/* Begin with a CPU, once the one before is complete. */
static int begin_cpu(struct reader *r)
{
	struct pathtext *t = &r->text;
	uint64_t overwritten;

	if (r->left)
		return complain(t->why, "line %u: truncated or damaged: %" PRIu64 " records of cpu%"
				PRIu64 " are missing before it", t->t.number, r->left, r->cpu);
	if (!readpath_key(t, "# cpu=", &r->cpu) || r->cpu >= UINT32_MAX ||
	    !readpath_key(t, " records=", &r->left) ||
	    !readpath_key(t, " overwritten=", &overwritten))
		return readpath_expected(t, "# cpu=N records=N overwritten=N");
	t->p->overwritten += overwritten;
	r->had++;
	r->last = 0;
	return 0;
}

/* Take what a comment says. Unknown words are for others. */
static int comment(struct reader *r)
{
	struct pathtext *t = &r->text;
	uint64_t us;

	if (textline_begins(&t->t, "# cpu="))
		return begin_cpu(r);
	readpath_head(t, "# kptrace");
	readpath_key(t, " cpus=", &r->cpus);
	if (readpath_key(t, " period_us=", &us) && us < UINT32_MAX)
		t->p->us = us;
	return 0;
}

/* Return an FNV-1a hash of the text. */
static uint64_t hash_of(const char *s, size_t n)
{
	uint64_t h = 0xcbf29ce484222325;

	while (n-- > 0)
		h = (h ^ (unsigned char)*s++) * 0x100000001b3;
	return h;
}

/* Return whether the path is a name and that step, such as "sh;[switch]"; *process is the name. */
static bool only_step(struct reader *r, const char *s, const char *end, const char *step,
		      uint32_t *process)
{
	const char *name_end = readpath_step(s, end);

	if ((size_t)(end - name_end) != strlen(step) || memcmp(name_end, step, strlen(step)) != 0 ||
	    name_end == s || memchr(s, 0, name_end - s))
		return false;
	*process = profdata_name(r->text.p, s, name_end - s);
	return true;
}

/* Count the path from s to `end` once more. Return its sample's index, or -1 and a complaint. */
static long sample_of(struct reader *r, const char *s, const char *end)
{
	struct seen key = {.hash = hash_of(s, end - s), .text = s, .n = end - s};
	size_t i = distinct_index(&r->known, r->seen, &key, r->nseen);
	struct profdata *p = r->text.p;
	struct profdata_sample like = {.count = 1};
	long n;

	if (i < r->nseen && r->seen[i].n == key.n && memcmp(r->seen[i].text, s, key.n) == 0) {
		profdata_again(p, r->seen[i].sample);
		return r->seen[i].sample;
	}
	like.mode = PROFDATA_NPATH;
	n = only_step(r, s, end, ";[overflow]", &like.process) ? 0 :
	    readpath(&r->text, s, end, &like);
	if (n < 0)
		return -1;
	key.sample = p->nsample;
	profdata_add(p, &like, r->text.frame, n);
	if (i == r->nseen) {
		r->seen = memory_grow(r->seen, &r->room_seen, r->nseen + 1, sizeof(key));
		r->seen[r->nseen++] = key;
	}
	return key.sample;
}

/* Read what stands behind a record's numbers: a path, or "sh;[switch]". */
static int path(struct reader *r, const char *s, struct profdata_record *to)
{
	const char *end = r->text.t.line + r->text.t.n;
	long sample;

	if (only_step(r, s, end, ";[switch]", &to->process)) {
		to->sample = PROFDATA_NONE;
		return 0;
	}
	sample = sample_of(r, s, end);
	if (sample < 0)
		return -1;
	to->process = r->text.p->sample[sample].process;
	to->sample = sample;
	return 0;
}

/* Read a number and the blank behind it. */
static bool number(const char **at, const char *end, uint64_t max, uint64_t *v)
{
	return textline_number(at, end, 10, max, v) && *at < end && *(*at)++ == ' ';
}

/* Read a line that is no comment: "12345678 0 7 sh;[kernel];0x00401234;0xc0101230". */
static int line(struct reader *r)
{
	struct pathtext *t = &r->text;
	struct profdata *p = t->p;
	const char *at = t->t.line, *end = at + t->t.n;
	struct profdata_record record;
	uint64_t cpu, pid;

	if (!t->t.whole || !number(&at, end, UINT64_MAX, &record.us) ||
	    !number(&at, end, UINT32_MAX - 1, &cpu) || !number(&at, end, UINT32_MAX, &pid))
		return readpath_expected(t, "TIME CPU PID PATH");
	if (!r->left || cpu != r->cpu)
		return readpath_expected(t, r->left ? "a record of the CPU in the line before" :
					 "# cpu=N records=N overwritten=N");
	if (record.us < r->last)
		return readpath_expected(t, "a time that is not before the last");
	if (path(r, at, &record) < 0)
		return -1;
	record.cpu = cpu;
	record.pid = pid;
	r->last = record.us;
	r->left--;
	p->record = memory_grow(p->record, &r->room_record, p->nrecord + 1, sizeof(record));
	p->record[p->nrecord++] = record;
	return 0;
}

/* Read all lines. */
static int lines(struct reader *r)
{
	struct pathtext *t = &r->text;

	while (textline_next(&t->t))
		if (t->t.n == 0 || t->t.line[0] == '#' ? comment(r) : line(r))
			return -1;
	if (!t->version)
		return complain(t->why, "no first line tells the version");
	if (r->left || r->had < r->cpus || !r->had)
		return complain(t->why, "after line %u: truncated: %s are missing", t->t.number,
				r->left ? "records" : "CPUs");
	return 0;
}

int profread_trace(struct profdata *p, const struct profread_file *f, struct complaint *why)
{
	struct reader r = {.known = {.size = sizeof(struct seen), .key = sizeof(uint64_t)}};
	int bad;

	profdata_init(p, "trace", PROFDATA_TICKS);
	readpath_init(&r.text, p, f, why);
	r.text.modes = ~PROFDATA_WAITING;
	bad = lines(&r);
	readpath_free(&r.text);
	distinct_free(&r.known);
	free(r.seen);
	if (bad)
		profdata_free(p);
	return bad;
}

bool profread_is_trace(const uint8_t *data, size_t n)
{
	static const char head[] = "# kptrace";

	return n >= sizeof(head) - 1 && memcmp(data, head, sizeof(head) - 1) == 0;
}
