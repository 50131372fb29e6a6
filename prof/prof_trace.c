/* trace: a ring of the last ticks for each CPU, and the file kptrace(5). See prof_trace.h. */
#include "prof/prof_hooks.h"
#include "prof/prof_stackout.h"

#define TRACE_OFF UINT32_MAX	   /* in place of an entry: nothing is noted any more */
#define TRACE_WOKEN (UINT32_MAX - 2) /* the same: the process is woken */

void prof_trace_close(struct prof *p, uint32_t bit)
{
	prof_pause(p, bit);
	for (unsigned cpu = 0; cpu < p->stack.ncpu; cpu++) {
		prof_hook_free(p->trace.ring[cpu]);
		p->trace.ring[cpu] = NULL;
	}
	prof_trace_clear(p, bit);
	prof_hook_free(p->trace.mark);
	p->trace.mark = NULL;
	p->trace.size = 0;
}

void prof_trace_clear(struct prof *p, uint32_t bit)
{
	(void)bit;
	for (unsigned cpu = 0; cpu < p->stack.ncpu; cpu++)
		p->trace.n[cpu] = 0;
	for (unsigned i = 0; i < PROF_TRACE_CLASSES; i++)
		p->trace.marks[i] = 0;
}

bool prof_trace_open(struct prof *p, uint32_t n, bool switches, uint32_t per_ms, uint64_t start)
{
	struct prof_trace *t = &p->trace;
	uint32_t size = 1, tables = PROF_STACK | switches * PROF_WAIT; /* that records refer to */

	prof_trace_close(p, PROF_TRACE);
	if (n == 0 || n > PROF_TRACE_MOST || tables & ~prof_stack_ready(p))
		return false;
	while (size < n)
		size *= 2;
	t->mark = prof_hook_alloc(PROF_TRACE_CLASSES * PROF_TRACE_MARKS * sizeof(*t->mark));
	for (unsigned cpu = 0; cpu < p->stack.ncpu; cpu++) {
		t->ring[cpu] = prof_hook_alloc(size * sizeof(*t->ring[cpu]));
		if (!t->mark || !t->ring[cpu]) {
			prof_trace_close(p, PROF_TRACE);
			return false;
		}
	}
	t->per_ms = per_ms;
	t->start = start;
	t->switches = switches;
	t->size = size;
	return true;
}

/* Return where a CPU's next record goes. */
static inline __attribute__((always_inline)) struct prof_trace_record *
trace_next(struct prof *p, unsigned cpu)
{
	uint32_t i = __atomic_fetch_add(&p->trace.n[cpu], 1, __ATOMIC_RELAXED);

	return &p->trace.ring[cpu][i & (p->trace.size - 1)];
}

/*
 * Note the sample's entry in k. Ticks may come in between, and take the records after this one;
 * its time is older.
 */
static inline __attribute__((always_inline)) void
trace_note(struct prof *p, struct prof_stacks *k, const struct prof_sample *s, uint64_t time)
{
	const prof_addr *word = k->cpu[s->cpu].word;

	*trace_next(p, s->cpu) = (struct prof_trace_record){
		.time = time, .pid = s->pid,
		.entry = (uint32_t)(prof_stackcache_find(k, s) - word) * 2 + (k == &p->wait),
	};
}

void prof_trace_woken(struct prof *p, unsigned cpu, uint32_t pid, uint64_t time)
{
	if (p->trace.switches)
		*trace_next(p, cpu) = (struct prof_trace_record){time, pid, TRACE_WOKEN};
}

/* Return where a class's mark number n is. */
static struct prof_trace_mark *trace_mark(const struct prof_trace *t, unsigned of_class, uint32_t n)
{
	return &t->mark[of_class * PROF_TRACE_MARKS + n % PROF_TRACE_MARKS];
}

void prof_trace_mark(struct prof *p, unsigned of_class, const struct prof_trace_mark *mark)
{
	struct prof_trace *t = &p->trace;

	if (prof_load(&p->on) & PROF_TRACE)
		*trace_mark(t, of_class, t->marks[of_class]++) = *mark;
}

/* Nobody notes a change of process meanwhile. */
void prof_trace_off(struct prof *p, uint64_t time)
{
	for (unsigned cpu = 0; cpu < p->stack.ncpu && p->trace.switches; cpu++)
		*trace_next(p, cpu) = (struct prof_trace_record){.time = time, .entry = TRACE_OFF};
}

void prof_trace_tick(struct prof *p, const struct prof_sample *s, uint64_t time)
{
	if (prof_stack_wanted(p, s))
		trace_note(p, &p->stack, s, time);
}

/* What came since is of this process, or else of the one before, which the change must follow. */
void prof_trace_switch(struct prof *p, const struct prof_sample *s, uint64_t time)
{
	const struct prof_trace *t = &p->trace;
	uint32_t n = prof_load(&t->n[s->cpu]), end = n < t->size ? 0 : n - t->size;

	while (n-- > end) {
		const struct prof_trace_record *r = &t->ring[s->cpu][n & (t->size - 1)];

		if (r->time <= time)
			break;
		if (r->entry != TRACE_WOKEN && r->pid != s->pid) {
			time = r->time;
			break;
		}
	}
	trace_note(p, &p->wait, s, time);
}

/*
 * Bring records into order: ticks may come between a change of process and its record. Return how
 * many tell more than that a process is woken.
 */
static uint32_t trace_sort(struct prof_trace_record *ring, uint32_t mask, uint32_t first,
			   uint32_t n)
{
	uint32_t i, at, told = 0;

	for (i = first; i < n; i++) {
		struct prof_trace_record r = ring[i & mask];

		told += r.entry != TRACE_WOKEN;
		for (at = i; at > first && ring[(at - 1) & mask].time > r.time; at--)
			ring[at & mask] = ring[(at - 1) & mask];
		ring[at & mask] = r;
	}
	return told;
}

/* Return whether a record's entry is there; else write what stands for it. */
static bool trace_entry(struct prof_text *t, const struct prof_stacks *k, unsigned cpu,
			uint32_t place, const char *none)
{
	if (place == 0)
		prof_text_string(t, none);
	else if (!prof_stackout_sound(k, cpu, place))
		prof_text_string(t, "?;[damaged]");
	else
		return true;
	return false;
}

/* Write a tick's path. */
static void trace_put_tick(struct prof_text *t, const struct prof_stacks *k, unsigned cpu,
			   uint32_t place)
{
	const prof_addr *e = k->cpu[cpu].word + place;

	if (trace_entry(t, k, cpu, place, "?;[overflow]"))
		prof_stackout_path(t, e, prof_stack_entry_what(e[PROF_STACK_SHAPE]), k->digits);
}

/* Write who runs after a change of process, and what it has waited for, if it has. */
static void trace_put_switch(struct prof_text *t, const struct prof_stacks *k, unsigned cpu,
			     uint32_t place)
{
	const prof_addr *e = k->cpu[cpu].word + place;
	enum prof_what what = PROF_KERNEL;

	if (place == TRACE_OFF >> 1) {
		prof_text_string(t, "off");
	} else if (trace_entry(t, k, cpu, place, "?")) {
		prof_stackout_name(t, e);
		what = prof_stack_entry_what(e[PROF_STACK_SHAPE]);
	}
	prof_text_string(t, ";[switch]");
	if (prof_what_waits(what)) {
		prof_text_string(t, "\n# wait=");
		prof_text_string(t, prof_what_step[what]);
	}
}

/* Return the microseconds of a time. */
static uint64_t trace_us(const struct prof *p, uint64_t time)
{
	return prof_divide((time - p->trace.start) * 1000, p->trace.per_ms);
}

static void trace_put_record(struct prof_text *t, const struct prof *p, unsigned cpu,
			     const struct prof_trace_record *r)
{
	uint64_t time = trace_us(p, r->time);

	if (r->entry == TRACE_WOKEN) {
		prof_text_number(t, "\n# woken=", r->pid);
		prof_text_number(t, " us=", time);
		return;
	}
	prof_text_number(t, "\n", time);
	prof_text_number(t, " ", cpu);
	prof_text_number(t, " ", r->pid);
	prof_text_char(t, ' ');
	if (r->entry & 1)
		trace_put_switch(t, &p->wait, cpu, r->entry >> 1);
	else
		trace_put_tick(t, &p->stack, cpu, r->entry >> 1);
}

/* Write a CPU's records, the oldest first. */
static void trace_put_cpu(struct prof_text *t, const struct prof *p, unsigned cpu)
{
	struct prof_trace_record *ring = p->trace.ring[cpu];
	uint32_t n = prof_load(&p->trace.n[cpu]), size = p->trace.size;
	uint32_t i = n > size ? n - size : 0, told = trace_sort(ring, size - 1, i, n);

	prof_text_number(t, "# cpu=", cpu);
	prof_text_number(t, " records=", told);
	prof_text_number(t, " overwritten=", i);
	for (; i < n; i++)
		trace_put_record(t, p, cpu, &ring[i & (size - 1)]);
	prof_text_char(t, '\n');
}

/* Write the marks of a class, the oldest first. */
static void trace_put_marks(struct prof_text *t, const struct prof *p, unsigned of_class)
{
	uint32_t n = p->trace.marks[of_class], i = n > PROF_TRACE_MARKS ? n - PROF_TRACE_MARKS : 0;

	for (; i < n; i++) {
		const struct prof_trace_mark *m = trace_mark(&p->trace, of_class, i);

		prof_text_number(t, "# mark=", m->pid);
		prof_text_number(t, " cpu=", m->cpu);
		prof_text_number(t, " us=", trace_us(p, m->time));
		prof_text_char(t, ' ');
		prof_text_string(t, m->text);
		prof_text_char(t, '\n');
	}
}

int prof_trace_write(struct prof *p, uint32_t bit, const struct prof_sink *to)
{
	struct prof_text t = {.to = to};
	bool ran = prof_pause(p, bit);

	for (unsigned cpu = 0; cpu < p->stack.ncpu; cpu++)
		trace_put_cpu(&t, p, cpu);
	for (unsigned i = 0; i < PROF_TRACE_CLASSES; i++)
		trace_put_marks(&t, p, i);
	prof_switch(p, bit, ran);
	return prof_text_end(&t);
}
