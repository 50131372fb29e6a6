/*
 * Reading a time line: the text of kptrace(5), which has a line for each tick, and each change of
 * process, that a CPU's ring holds. As a profile it is the paths of these ticks.
 *
 * gnomon record's have a line for each entry to a function and each return. A path then counts the
 * instructions up to the next line. Where the kernel's have entries and returns of measured calls,
 * they are read as such, too: tracecalls.h.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "tools/distinct.h"
#include "tools/hash.h"
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/printable.h"
#include "tools/profile/readpath.h"
#include "tools/profile/tracecalls.h"

#define CPUS_MOST 4096 /* of processors, and above their numbers: none of a machine's is */
#define CPU_LINE "# cpu=N records=N overwritten=N"
#define WAIT "# wait="
#define WOKEN "# woken="
#define MARK "# mark="
#define CALL "# call="
#define RETURN "# return="
#define LATEST (INT64_MAX / 1000) /* of a time in us: in ns it has 63 bits, as what others read */
#define TOO_LATE "a time of less than 2^63 ns"

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
	uint64_t last_ns;   /* and of its last call */
	struct tracecalls calls;
	uint32_t running;   /* the sample that counts on to the next one; PROFDATA_NONE: none */
	struct seen *seen;
	size_t nseen, room_seen, room_record;
	struct distinct known;
};

/* Read the line that the records of a CPU begin with. False: it is not of that form. */
static bool cpu_line(struct reader *r, uint64_t *overwritten)
{
	struct pathtext *t = &r->text;

	if (!readpath_key(t, "# cpu=", &r->cpu))
		return false;
	if (r->cpu >= UINT32_MAX)
		return false;
	return readpath_key(t, " records=", &r->left) &&
	       readpath_key(t, " overwritten=", overwritten);
}

/* Return whether the records of a CPU came before. */
static bool is_known(const struct profdata *p, uint64_t cpu)
{
	size_t i;

	for (i = 0; i < p->non; i++)
		if (p->on[i].cpu == cpu)
			return true;
	return false;
}

/* Begin with a CPU, once the one before is complete. */
static int begin_cpu(struct reader *r)
{
	struct pathtext *t = &r->text;
	struct profdata_cpu cpu;

	if (r->left)
		return complain(t->why, "line %u: truncated or damaged: %" PRIu64 " records of cpu%"
				PRIu64 " are missing before it", t->t.number, r->left, r->cpu);
	if (!cpu_line(r, &cpu.overwritten))
		return readpath_expected(t, CPU_LINE);
	if (is_known(t->p, r->cpu))
		return complain(t->why, "line %u: cpu%" PRIu64 " comes twice", t->t.number, r->cpu);
	if (r->cpu >= CPUS_MOST)
		return complain(t->why, "line %u: more than %u processors", t->t.number, CPUS_MOST);
	if (cpu.overwritten > INT64_MAX - t->p->overwritten)
		return readpath_expected(t, "less than 2^63 records overwritten, in all");
	cpu.cpu = r->cpu;
	cpu.since = UINT64_MAX;
	t->p->overwritten += cpu.overwritten;
	t->p->on = memory_grow(t->p->on, &t->p->room_on, t->p->non + 1, sizeof(cpu));
	t->p->on[t->p->non++] = cpu;
	r->had++;
	r->last = r->last_ns = 0;
	r->running = PROFDATA_NONE;
	return 0;
}

/* Take what the process that runs since the last record had waited for: "# wait=[pipe]". */
static int trace_wait(struct reader *r)
{
	struct pathtext *t = &r->text;
	const char *step = t->t.line + strlen(WAIT);
	struct profdata *p = t->p;
	int m;

	for (m = 0; m < PROFDATA_NMODES; m++)
		if (textline_is(step, t->t.line + t->t.n - step, profdata_mode_step[m]))
			break;
	if (m == PROFDATA_NMODES || !(PROFDATA_WAITING & 1u << m) || p->nrecord == 0)
		return readpath_expected(t, "a wait, after the record of a change of process");
	p->record[p->nrecord - 1].wait = m;
	return 0;
}

/* Take who was woken by what ran on this CPU: "# woken=9 us=12345600". */
static int trace_woken(struct reader *r)
{
	struct pathtext *t = &r->text;
	struct profdata *p = t->p;
	struct profdata_woken new = {.cpu = r->cpu};
	uint64_t pid;

	if (!readpath_key(t, WOKEN, &pid) || !readpath_key(t, " us=", &new.us) || pid > UINT32_MAX)
		return readpath_expected(t, WOKEN "PID us=TIME");
	if (new.us > LATEST)
		return readpath_expected(t, TOO_LATE);
	new.pid = pid;
	p->woken = memory_grow(p->woken, &p->room_woken, p->nwoken + 1, sizeof(new));
	p->woken[p->nwoken++] = new;
	return 0;
}

/* Take a mark: "# mark=9 cpu=0 us=12345600 the second phase". */
static int trace_mark(struct reader *r)
{
	struct pathtext *t = &r->text;
	struct profdata *p = t->p;
	const char *at = memmem(t->t.line, t->t.n, " us=", 4), *end = t->t.line + t->t.n;
	uint64_t pid, cpu, us;
	char *text;

	if (!readpath_key(t, MARK, &pid) || !readpath_key(t, " cpu=", &cpu) ||
	    !readpath_key(t, " us=", &us) || pid > UINT32_MAX || cpu > UINT32_MAX)
		return readpath_expected(t, MARK "PID cpu=N us=TIME TEXT");
	if (us > LATEST)
		return readpath_expected(t, TOO_LATE);
	at = memchr(at + 1, ' ', end - at - 1);
	if (!at || ++at == end)
		return readpath_expected(t, "the text of a mark");
	text = memory_string(at, end - at);
	p->mark = memory_grow(p->mark, &p->room_mark, p->nmark + 1, sizeof(*p->mark));
	p->mark[p->nmark++] = (struct profdata_mark){us, cpu, pid, printable(text)};
	free(text);
	return 0;
}

/* Read a call: "# call=9 ns=12345600123;0xc0101235". */
static bool call_line(struct reader *r, const char *word, struct tracecalls_call *call)
{
	struct pathtext *t = &r->text;
	const char *at = t->t.line + strlen(word), *end = t->t.line + t->t.n;
	uint64_t pid;

	if (!t->t.whole || !textline_number(&at, end, 10, UINT32_MAX, &pid))
		return false;
	if (!textline_starts(at, end - at, " ns="))
		return false;
	at += strlen(" ns=");
	if (!textline_number(&at, end, 10, INT64_MAX, &call->ns))
		return false;
	call->pid = pid;
	return readpath_address(&at, end, &call->pc) && at == end;
}

/* Take an entry to a function, or a return from one. */
static int trace_call(struct reader *r, const char *word, bool returns)
{
	struct pathtext *t = &r->text;
	struct profdata *p = t->p;
	struct tracecalls_call call = {
		.after = p->nrecord, .line = t->t.number, .returns = returns,
	};

	if (p->non == 0)
		return readpath_expected(t, CPU_LINE);
	if (!call_line(r, word, &call))
		return readpath_expected(t, "a process's number and ns=TIME;0xADDRESS");
	if (call.ns < r->last_ns || call.ns / 1000 < r->last)
		return readpath_expected(t, "a time that is not before the last");
	call.on = p->non - 1;
	r->last_ns = call.ns;
	r->last = call.ns / 1000;
	if (call.pc > UINT32_MAX)
		p->width = 8;
	tracecalls_add(&r->calls, &call);
	return 0;
}

/* Take what a comment says. Unknown words are for others. */
static int trace_comment(struct reader *r)
{
	struct pathtext *t = &r->text;
	uint64_t us;

	if (textline_begins(&t->t, "# cpu="))
		return begin_cpu(r);
	if (textline_begins(&t->t, WAIT))
		return trace_wait(r);
	if (textline_begins(&t->t, WOKEN))
		return trace_woken(r);
	if (textline_begins(&t->t, MARK))
		return trace_mark(r);
	if (textline_begins(&t->t, CALL))
		return trace_call(r, CALL, false);
	if (textline_begins(&t->t, RETURN))
		return trace_call(r, RETURN, true);
	readpath_head(t, "# kptrace");
	readpath_recorded(t);
	readpath_key(t, " cpus=", &r->cpus);
	if (readpath_key(t, " period_us=", &us) && us < UINT32_MAX)
		t->p->us = us;
	return 0;
}

/* Return whether the path is a name and that step, such as "sh;[switch]"; *process is the name. */
static bool only_step(struct reader *r, const char *s, const char *end, const char *step,
		      uint32_t *process)
{
	const char *name_end = readpath_step(s, end);

	if (!textline_is(name_end, end - name_end, step))
		return false;
	if (!readpath_is_name(s, name_end))
		return false;
	*process = profdata_name(r->text.p, s, name_end - s);
	return true;
}

static bool same_text(const struct seen *a, const struct seen *b)
{
	return a->n == b->n && memcmp(a->text, b->text, a->n) == 0;
}

/* Count the path from s to `end` once more. Return its sample's index, or -1 and a complaint. */
static long sample_of(struct reader *r, const char *s, const char *end)
{
	struct seen key = {.hash = hash_of(s, end - s), .text = s, .n = end - s};
	size_t i = distinct_index(&r->known, r->seen, &key, r->nseen);
	struct profdata *p = r->text.p;
	struct profdata_sample like = {.count = 1};
	long n = 0;

	if (i < r->nseen && same_text(&r->seen[i], &key)) {
		if (!profdata_of_functions(p))
			profdata_more(p, r->seen[i].sample, 1);
		return r->seen[i].sample;
	}
	like.mode = PROFDATA_NPATH;
	if (!only_step(r, s, end, ";[overflow]", &like.process))
		n = readpath(&r->text, s, end, &like);
	if (n < 0)
		return -1;
	key.sample = p->nsample;
	profdata_add(p, &like, r->text.frame, n);
	if (profdata_of_functions(p))
		profdata_more(p, key.sample, -(uint64_t)1); /* what runs there is added later */
	if (i == r->nseen) {
		r->seen = memory_grow(r->seen, &r->room_seen, r->nseen + 1, sizeof(key));
		r->seen[r->nseen++] = key;
	}
	return key.sample;
}

/* Read what follows a record's numbers: a path, or "sh;[switch]". */
static int trace_path(struct reader *r, const char *s, struct profdata_record *to)
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

/* Read a number and the blank after it. */
static bool trace_number(const char **at, const char *end, uint64_t max, uint64_t *v)
{
	if (!textline_number(at, end, 10, max, v))
		return false;
	return *at < end && *(*at)++ == ' ';
}

/* Read the three numbers that a record begins with. */
static bool record_numbers(const char **at, const char *end, uint64_t *us, uint64_t *cpu,
			   uint64_t *pid)
{
	if (!trace_number(at, end, UINT64_MAX, us))
		return false;
	return trace_number(at, end, UINT32_MAX - 1, cpu) && trace_number(at, end, UINT32_MAX, pid);
}

/* A time line of functions: count what ran since the record before, where that was. */
static int trace_count(struct reader *r, const struct profdata_record *now)
{
	struct profdata *p = r->text.p;
	uint64_t n = now->us - r->last;

	if (!profdata_of_functions(p))
		return 0;
	if (p->total > UINT64_MAX - n)
		return complain(r->text.why, "line %u: the counts add up to 2^64 or more",
				r->text.t.number);
	if (r->running != PROFDATA_NONE)
		profdata_more(p, r->running, n);
	r->running = now->sample;
	return 0;
}

/* Read a line that is no comment: "12345678 0 7 sh;[kernel];0x00401234;0xc0101230". */
static int trace_line(struct reader *r)
{
	struct pathtext *t = &r->text;
	struct profdata *p = t->p;
	const char *at = t->t.line, *end = at + t->t.n;
	struct profdata_record record = {.wait = 0};
	uint64_t cpu, pid;

	if (!t->t.whole || !record_numbers(&at, end, &record.us, &cpu, &pid))
		return readpath_expected(t, "TIME CPU PID PATH");
	if (r->left == 0)
		return readpath_expected(t, CPU_LINE);
	if (cpu != r->cpu)
		return readpath_expected(t, "a record of the CPU in the line before");
	if (record.us > LATEST)
		return readpath_expected(t, TOO_LATE);
	if (record.us < r->last)
		return readpath_expected(t, "a time that is not before the last");
	if (trace_path(r, at, &record) < 0)
		return -1;
	record.cpu = cpu;
	record.pid = pid;
	if (trace_count(r, &record) < 0)
		return -1;
	p->on[p->non - 1].since = order_min(p->on[p->non - 1].since, record.us);
	r->last = record.us;
	r->left--;
	p->record = memory_grow(p->record, &r->room_record, p->nrecord + 1, sizeof(record));
	p->record[p->nrecord++] = record;
	return 0;
}

/* For qsort: by time. */
static int compare_marks(const void *va, const void *vb)
{
	const struct profdata_mark *a = va, *b = vb;

	return order(a->us, b->us);
}

/* If there were calls, make a time line of functions of them. */
static int make_functions(struct reader *r)
{
	struct pathtext *t = &r->text;

	if (r->calls.n == 0)
		return 0;
	if (t->p->unit != PROFDATA_TICKS)
		return complain(t->why, "line %u: a call with a time, in a file of instructions",
				r->calls.call[0].line);
	return tracecalls_apply(&r->calls, t->p, t->kernel, t->why);
}

/* Read all lines. */
static int trace_lines(struct reader *r)
{
	struct pathtext *t = &r->text;
	int bad;

	while (textline_next(&t->t)) {
		if (readpath_is_comment(t))
			bad = trace_comment(r);
		else
			bad = trace_line(r);
		if (bad)
			return -1;
	}
	if (!t->version)
		return complain(t->why, "no first line tells the version");
	if (r->left)
		return complain(t->why, "after line %u: truncated: records are missing",
				t->t.number);
	if (r->had < r->cpus || !r->had)
		return complain(t->why, "after line %u: truncated: CPUs are missing", t->t.number);
	if (t->p->nmark)
		qsort(t->p->mark, t->p->nmark, sizeof(*t->p->mark), compare_marks);
	return make_functions(r);
}

int profread_trace(struct profdata *p, const struct profread_file *f, struct complaint *why)
{
	struct reader r = {.known = {.size = sizeof(struct seen), .key = sizeof(uint64_t)}};
	int bad;

	profdata_init(p, "trace", PROFDATA_TICKS);
	readpath_init(&r.text, p, f, why);
	r.text.modes = ~(PROFDATA_WAITING | PROFDATA_MEMORY);
	bad = trace_lines(&r);
	readpath_free(&r.text);
	distinct_free(&r.known);
	tracecalls_free(&r.calls);
	free(r.seen);
	if (bad)
		profdata_free(p);
	return bad;
}

bool profread_is_trace(const uint8_t *data, size_t n)
{
	return textline_starts(data, n, "# kptrace");
}
