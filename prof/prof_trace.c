/* trace: a ring of the last ticks for each CPU, and the file kptrace(5). See prof_trace.h. */
#include "prof/prof_hooks.h"
#include "prof/prof_stackout.h"

#define TRACE_OFF UINT32_MAX	   /* in place of an entry: nothing is noted any more */
#define TRACE_WOKEN (UINT32_MAX - 2) /* the same: the process is woken */

void prof_trace_close(struct prof *p, uint32_t bit)
{
	prof_pause(p, bit);
	for (struct prof_trace_ring *r = p->trace.ring[0]; r < p->trace.ring[p->stack.ncpu]; r++) {
		prof_hook_free(r->at);
		r->at = NULL;
	}
	prof_trace_clear(p, bit);
	prof_hook_free(p->trace.mark);
	p->trace.mark = NULL;
	p->trace.size = 0;
}

void prof_trace_clear(struct prof *p, uint32_t bit)
{
	struct prof_trace *t = &p->trace;

	(void)bit;
	for (unsigned cpu = 0; cpu < p->stack.ncpu; cpu++) {
		t->ring[cpu][0].n = t->ring[cpu][1].n = 0;
		t->others[cpu] = false;
	}
	t->marks[0] = t->marks[1] = t->marks[PROF_TRACE_CAUGHT] = 0;
	t->fired = 0;
	t->cleared++;
}

bool prof_trace_open(struct prof *p, uint32_t n, uint32_t what, uint32_t per_ms, uint64_t start)
{
	struct prof_trace *t = &p->trace;
	uint32_t size = 1;

	prof_trace_close(p, PROF_TRACE);
	if (n - 1 >= PROF_TRACE_MOST || (PROF_STACK | what) & ~prof_ready(p))
		return false;
	while (size < n)
		size *= 2;
	t->mark = prof_hook_alloc((PROF_TRACE_CLASSES * PROF_TRACE_MARKS + 1) * sizeof(*t->mark));
	for (struct prof_trace_ring *r = t->ring[0]; r < t->ring[p->stack.ncpu]; r++) {
		r->at = prof_hook_alloc(size * sizeof(*r->at));
		r->mask = size - 1;
		if (!r->at || !t->mark) {
			prof_trace_close(p, PROF_TRACE);
			return false;
		}
	}
	t->per_ms = per_ms;
	t->start = start;
	t->what = what;
	t->size = size;
	return true;
}

/* Return where a CPU's next record goes. */
static inline __attribute__((always_inline)) struct prof_trace_record *
trace_next(struct prof *p, unsigned cpu, unsigned of_class)
{
	struct prof_trace_ring *r = &p->trace.ring[cpu][of_class];

	return &r->at[__atomic_fetch_add(&r->n, 1, __ATOMIC_RELAXED) & r->mask];
}

/*
 * Note the sample's entry in k. Ticks may come in between, and take the records after this one;
 * its time is older.
 */
static inline __attribute__((always_inline)) void
trace_note(struct prof *p, struct prof_stacks *k, const struct prof_sample *s, unsigned of_class,
	   uint64_t time)
{
	const prof_addr *word = k->cpu[s->cpu].word;

	*trace_next(p, s->cpu, of_class) = (struct prof_trace_record){
		.time = time, .pid = s->pid,
		.entry = (uint32_t)(prof_stackcache_find(k, s) - word) * 2 + (k == &p->wait),
	};
}

void prof_trace_woken(struct prof *p, unsigned cpu, uint32_t pid, bool others, uint64_t time)
{
	if (p->trace.what & PROF_WAIT)
		*trace_next(p, cpu, others) = (struct prof_trace_record){time, pid, TRACE_WOKEN};
}

static bool trace_calls_wanted(const struct prof *p)
{
	return prof_wants(p, PROF_TRACE) && p->trace.what & PROF_CALLS;
}

/* Say where the calls of a CPU go, again if another CPU has changed meanwhile what is wanted. */
static inline __attribute__((always_inline)) void trace_calls_on(struct prof *p, unsigned cpu)
{
	struct prof_call_cpu *c = p->call.cpu[cpu];
	bool wanted;

	do {
		struct prof_trace_ring *to = &p->trace.none;

		wanted = trace_calls_wanted(p);
		if (wanted)
			to = &p->trace.ring[cpu][c->others];
		__atomic_store_n(&c->ring, to, __ATOMIC_SEQ_CST);
	} while (wanted != trace_calls_wanted(p));
}

void prof_trace_run(struct prof *p, unsigned cpu, uint32_t pid, bool others)
{
	p->call.cpu[cpu]->pid = pid;
	p->call.cpu[cpu]->others = others;
	trace_calls_on(p, cpu);
}

void prof_trace_calls(struct prof *p)
{
	for (unsigned cpu = 0; cpu < p->call.ncpu; cpu++)
		trace_calls_on(p, cpu);
}

/* A pair that is new has no bounds yet that were made for another limit. */
void prof_trace_trigger(struct prof *p, prof_addr function, uint64_t limit, uint64_t after)
{
	p->trace.function = function;
	p->trace.limit = limit;
	p->trace.after = after;
	prof_clear(p, PROF_CALLS | PROF_TRACE);
}

/* Return where a class's mark number n is. */
static struct prof_trace_mark *trace_mark(const struct prof_trace *t, unsigned of_class, uint32_t n)
{
	return &t->mark[of_class * PROF_TRACE_MARKS + n % PROF_TRACE_MARKS];
}

void prof_trace_fire(struct prof *p, unsigned cpu, uint32_t pid, uint64_t time)
{
	struct prof_trace *t = &p->trace;

	if (!prof_wants(p, PROF_TRACE) || __atomic_exchange_n(&t->fired, 1, __ATOMIC_ACQ_REL))
		return;
	struct prof_trace_mark *m = trace_mark(t, PROF_TRACE_CAUGHT, 0);
	m->time = time;
	m->pid = pid;
	m->cpu = cpu;
	__atomic_store_n(&t->marks[PROF_TRACE_CAUGHT], 1, __ATOMIC_RELEASE);
	if (t->after > 0)
		return;
	__atomic_fetch_and(&p->on, ~PROF_TRACE, __ATOMIC_SEQ_CST);
	prof_trace_calls(p); /* as in prof_switch(), with less of a stack that may be anybody's */
}

/* Return whether the records are to end now, some time after the trigger has fired. */
static bool trace_over(const struct prof_trace *t, uint64_t time)
{
	if (!__atomic_load_n(&t->marks[PROF_TRACE_CAUGHT], __ATOMIC_ACQUIRE))
		return false;
	return time - trace_mark(t, PROF_TRACE_CAUGHT, 0)->time >= t->after;
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
	if (!(p->trace.what & PROF_WAIT))
		return;
	for (unsigned cpu = 0; cpu < p->stack.ncpu; cpu++)
		*trace_next(p, cpu, 0) = (struct prof_trace_record){time, 0, TRACE_OFF};
}

void prof_trace_tick(struct prof *p, const struct prof_sample *s, uint64_t time)
{
	if (trace_over(&p->trace, time))
		prof_switch(p, PROF_TRACE, false);
	else if (prof_stack_wanted(p, s))
		trace_note(p, &p->stack, s, s->others, time);
}


static struct prof_trace_rest trace_rest(const struct prof_trace *t, unsigned cpu, bool others)
{
	const struct prof_trace_ring *of = &t->ring[cpu][others];
	struct prof_trace_rest r = {of->at, of->mask, 0, prof_load(&of->n)};

	if (r.n > t->size)
		r.first = r.n - t->size;
	return r;
}

/* Return that time, or of what is noted since in the ring the last one of another process. */
static uint64_t trace_after(struct prof_trace_rest r, uint32_t pid, uint64_t time)
{
	while (r.n-- > r.first) {
		const struct prof_trace_record *last = &r.at[r.n & r.mask];

		if (last->time <= time)
			break;
		if (last->entry != TRACE_WOKEN && last->pid != pid)
			return last->time;
	}
	return time;
}

/*
 * What came since is of this process, or else of the one before, which the change must follow. A
 * change is the owner's if it is to or from a process of hers: then the time that she had is known
 * whatever is lost of the others. An idle CPU is nobody's, and its changes are as the others'.
 */
void prof_trace_switch(struct prof *p, const struct prof_sample *s, uint64_t time)
{
	struct prof_trace *t = &p->trace;
	bool others = s->others || s->pid == 0, both = others && t->others[s->cpu];

	t->others[s->cpu] = others;
	time = trace_after(trace_rest(t, s->cpu, 0), s->pid, time);
	time = trace_after(trace_rest(t, s->cpu, 1), s->pid, time);
	trace_note(p, &p->wait, s, both, time);
}

/* Return whether that is the entry of a call, or of a return. */
static bool trace_is_call(uint32_t entry)
{
	return entry - PROF_TRACE_CALL < PROF_CALL_TABLE * PROF_CALL_CELL;
}

/* Return whether a record is a line that is no comment. */
static bool trace_is_line(const struct prof_trace_record *r)
{
	return r->entry != TRACE_WOKEN && !trace_is_call(r->entry);
}

/*
 * Bring records into order: ticks may come between a change of process and its record. Return how
 * many will be lines.
 */
static uint32_t trace_sort(const struct prof_trace_rest *r)
{
	uint32_t at, told = 0;

	for (uint32_t i = r->first; i < r->n; i++) {
		struct prof_trace_record now = r->at[i & r->mask];

		told += trace_is_line(&now);
		for (at = i; at > r->first && r->at[(at - 1) & r->mask].time > now.time; at--)
			r->at[at & r->mask] = r->at[(at - 1) & r->mask];
		r->at[at & r->mask] = now;
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
		prof_stackout_path(t, e, prof_stack_entry_cause(e[PROF_STACK_SHAPE]), k->digits);
}

/* Write who runs after a change of process, and what it has waited for, if it has. */
static void trace_put_switch(struct prof_text *t, const struct prof_stacks *k, unsigned cpu,
			     uint32_t place)
{
	const prof_addr *e = k->cpu[cpu].word + place;
	enum prof_cause what = PROF_KERNEL;

	if (place == TRACE_OFF >> 1) {
		prof_text_string(t, "off");
	} else if (trace_entry(t, k, cpu, place, "?")) {
		prof_stackout_name(t, e);
		what = prof_stack_entry_cause(e[PROF_STACK_SHAPE]);
	}
	prof_text_string(t, ";[switch]");
	if (prof_cause_waits(what)) {
		prof_text_string(t, "\n# wait=");
		prof_text_string(t, prof_cause_step[what]);
	}
}

/* Return a time, from the start on, in units of which a millisecond has that many: up to 2^20. */
static uint64_t trace_in(const struct prof *p, uint64_t time, uint32_t units)
{
	return prof_text_in_units(time - p->trace.start, p->trace.per_ms, units);
}

/* Write an entry to a function, or a return from it. */
static void trace_put_call(struct prof_text *t, const struct prof *p, unsigned cpu,
			   const struct prof_trace_record *r)
{
	uint32_t i = (r->entry - PROF_TRACE_CALL) / PROF_CALL_CELL;

	prof_text_print(t, r->entry & 1 ? "\n# return=% ns=%" : "\n# call=% ns=%",
			(uint64_t[]){r->pid, trace_in(p, r->time, 1000000)});
	prof_text_steps(t, &p->call.cpu[cpu]->arc[i].self, 1, p->stack.digits);
}

static void trace_put_record(struct prof_text *t, const struct prof *p, unsigned cpu,
			     const struct prof_trace_record *r)
{
	if (trace_is_call(r->entry)) {
		trace_put_call(t, p, cpu, r);
		return;
	}
	uint64_t time = trace_in(p, r->time, 1000);
	if (r->entry == TRACE_WOKEN) {
		prof_text_print(t, "\n# woken=% us=%", (uint64_t[]){r->pid, time});
		return;
	}
	prof_text_print(t, "\n% % % ", (uint64_t[]){time, cpu, r->pid});
	if (r->entry & 1)
		trace_put_switch(t, &p->wait, cpu, r->entry >> 1);
	else
		trace_put_tick(t, &p->stack, cpu, r->entry >> 1);
}

/* Return the time of a ring's oldest record. */
static uint64_t trace_time(const struct prof_trace_rest *r)
{
	if (r->first == r->n)
		return UINT64_MAX;
	return r->at[r->first & r->mask].time;
}

/*
 * Begin with a CPU's records. What others did before the first of the owner's that are left is left
 * out: what she did then is not known.
 */
static void trace_begin_cpu(struct prof_text *t, const struct prof *p, struct prof_trace_reader *r)
{
	struct prof_trace_rest *own = &r->rest[0], *others = &r->rest[1];

	*own = trace_rest(&p->trace, r->part, 0);
	*others = trace_rest(&p->trace, r->part, 1);
	uint32_t told = trace_sort(own) + trace_sort(others);
	while (own->first > 0 && trace_time(others) < trace_time(own))
		told -= trace_is_line(&others->at[others->first++ & others->mask]);
	prof_text_print(t, "# cpu=% records=% overwritten=%",
			(uint64_t[]){r->part, told, own->first + others->first});
	r->begun = true;
}

/* Write the older of a CPU's next records; or end its lines, and return false. */
static bool trace_put_next(struct prof_text *t, const struct prof *p, struct prof_trace_reader *r)
{
	bool others = trace_time(&r->rest[1]) < trace_time(&r->rest[0]);
	struct prof_trace_rest *of = &r->rest[others];

	if (of->first == of->n) {
		prof_text_char(t, '\n');
		return false;
	}
	trace_put_record(t, p, r->part, &of->at[of->first++ & of->mask]);
	return true;
}

/* Write the oldest of the next marks of a class, or return false. */
static bool trace_put_mark(struct prof_text *t, const struct prof *p, unsigned of_class,
			   uint32_t *next)
{
	uint32_t n = p->trace.marks[of_class];

	if (*next == n)
		return false;
	if (n - *next > PROF_TRACE_MARKS)
		*next = n - PROF_TRACE_MARKS;
	const struct prof_trace_mark *m = trace_mark(&p->trace, of_class, (*next)++);
	prof_text_print(t, "# mark=% cpu=% us=% ",
			(uint64_t[]){m->pid, m->cpu, trace_in(p, m->time, 1000)});
	prof_text_string(t, of_class == PROF_TRACE_CAUGHT ? "trigger" : m->text);
	prof_text_char(t, '\n');
	return true;
}

/* Write what comes next; or return false: that was all. */
static bool trace_more(const struct prof *p, struct prof_trace_reader *r, struct prof_text *t)
{
	bool more = true;

	if (r->part > p->stack.ncpu + PROF_TRACE_CAUGHT)
		return false;
	if (r->part >= p->stack.ncpu)
		more = trace_put_mark(t, p, r->part - p->stack.ncpu, &r->mark);
	else if (r->begun)
		more = trace_put_next(t, p, r);
	else
		trace_begin_cpu(t, p, r);
	if (!more)
		*r = (struct prof_trace_reader){.part = r->part + 1};
	return true;
}

bool prof_trace_more(const struct prof *p, struct prof_trace_reader *r, const struct prof_sink *to)
{
	struct prof_text t = {.to = to};
	bool more = trace_more(p, r, &t);

	prof_text_end(&t);
	return more;
}

int prof_trace_write(struct prof *p, uint32_t bit, const struct prof_sink *to)
{
	struct prof_trace_reader r = {0};
	struct prof_text t = {.to = to};
	bool ran = prof_pause(p, bit);

	while (trace_more(p, &r, &t))
		;
	prof_switch(p, bit, ran);
	return prof_text_end(&t);
}
