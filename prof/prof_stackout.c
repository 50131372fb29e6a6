/*
 * The files kpstack(5) and kpwait(5): the paths of all CPUs together, folded, as text. One path
 * may be in the tables of several CPUs: the first of them that has it shows the sum.
 */
#include "prof/prof_stacktable.h"
#include "prof/prof_tick.h"

#define READY 15u /* a kind that no entry has */

/* What is written, a piece at a time, and the tables as they were when that began. */
struct text {
	const struct prof_sink *to;
	int err;    /* the sink's, which then gets no more */
	unsigned n; /* characters in piece */
	char piece[64];
	uint32_t used[PROF_CPUS(PROF_HAVE_STACK)];
	uint64_t total; /* of the numbers in lines */
};

/* What a path has: how often it was found, and how long it waited and was ready. */
enum { COUNT, TIME, SUMS = TIME + 2 };

static void flush(struct text *t)
{
	if (!t->err)
		t->err = t->to->write(t->to->arg, t->piece, t->n);
	t->n = 0;
}

static void put_char(struct text *t, char c)
{
	t->piece[t->n++] = c;
	if (t->n == sizeof(t->piece))
		flush(t);
}

static void put(struct text *t, const char *s)
{
	while (*s)
		put_char(t, *s++);
}

static void put_number(struct text *t, const char *key, uint64_t n)
{
	char digit[21], *at = &digit[20];
	uint64_t rest;

	put(t, key);
	*at = 0;
	do {
		rest = prof_divide(n, 10);
		*--at = (char)('0' + (n - 10 * rest));
		n = rest;
	} while (n > 0);
	put(t, at);
}

static void put_address(struct text *t, prof_addr a, uint32_t digits)
{
	put(t, ";0x");
	while (digits-- > 0)
		put_char(t, "0123456789abcdef"[a >> 4 * digits & 15]);
}

/* Characters that would change the line's meaning are shown as '_'. */
static void put_name(struct text *t, const prof_addr *word, uint32_t n)
{
	uint32_t i;
	char c;

	for (i = 0; i < 4 * n && (c = (char)(word[i >> 2] >> 8 * (i & 3) & 0xff)) != 0; i++) {
		bool bad = c <= ' ' || c > '~' || c == ';' || c == '#' || c == '[';

		put_char(t, bad ? '_' : c);
	}
}

static void put_path(struct text *t, const prof_addr *e, uint32_t kind, uint32_t digits)
{
	static const char *const name[16] = {
		[PROF_STACK_KERNEL] = ";[kernel]", [PROF_STACK_IDLE] = ";[idle]",
		[PROF_STACK_USER] = ";[user]", [PROF_STACK_INTERRUPT] = ";[interrupt]",
		[PROF_DEVICE] = ";[device]", [PROF_PIPE] = ";[pipe]", [PROF_SLEEP] = ";[sleep]",
		[PROF_CHILD] = ";[child]", [PROF_LOCK] = ";[lock]", [READY] = ";[ready]",
	};
	uint32_t shape = (uint32_t)e[PROF_STACK_SHAPE], i = shape & 0xff;
	uint32_t names = shape >> PROF_STACK_NAME & 0xff;

	put_name(t, e + PROF_STACK_BODY, names);
	put(t, name[kind]);
	if (shape & PROF_STACK_CUT)
		put(t, ";[cut]");
	while (i-- > 0)
		put_address(t, e[PROF_STACK_BODY + names + i], digits);
}

static uint64_t in_us(const struct prof_stacks *k, uint64_t time)
{
	return prof_divide(time * 1000, k->per_ms);
}

/* Add what an entry has. Times are read until none has changed meanwhile. */
static void add_sums(uint64_t sum[SUMS], const struct prof_stacks *k, const prof_addr *e)
{
	const struct prof_stack_times *t = (const struct prof_stack_times *)e - 1;
	uint64_t waited = 0, ready = 0;
	uint32_t n, done = 0;

	do {
		if (k->extra) {
			done = __atomic_load_n(&t->done, __ATOMIC_ACQUIRE);
			waited = prof_stack_time(t->time[0]);
			ready = prof_stack_time(t->time[1]);
		}
		n = (uint32_t)__atomic_load_n(&e[PROF_STACK_COUNT], __ATOMIC_RELAXED);
	} while (k->extra && n != done);
	sum[COUNT] += n;
	sum[TIME] += waited;
	sum[TIME + 1] += ready;
}

/* Return that CPU's entry like e, or NULL if there was none at first. */
static const prof_addr *entry_like(const struct text *t, const struct prof_stacks *k, unsigned cpu,
				   const prof_addr *e)
{
	uint32_t *slot, n = prof_stack_entry_size(e[PROF_STACK_SHAPE]);
	uint32_t at = prof_stack_find(k, cpu, e, n, &slot);

	return at && at < t->used[cpu] ? k->cpu[cpu].word + at : NULL;
}

/* Write a line of the path, unless there is nothing to say. */
static void put_line(struct text *t, const prof_addr *e, uint32_t kind, uint32_t digits, uint64_t n)
{
	if (n == 0)
		return;
	put_path(t, e, kind, digits);
	put_number(t, " ", n);
	put_char(t, '\n');
	t->total += n;
}

/* Write a path of that CPU, unless one before it had it. Return how often it was found. */
static uint64_t put_entry(struct text *t, const struct prof_stacks *k, unsigned cpu,
			  const prof_addr *e)
{
	uint32_t kind = e[PROF_STACK_SHAPE] >> PROF_STACK_KIND & 15;
	uint64_t sum[SUMS] = {0};

	for (unsigned i = 0; i < k->ncpu; i++) {
		const prof_addr *like = i == cpu ? e : entry_like(t, k, i, e);

		if (like && i < cpu)
			return 0;
		if (like)
			add_sums(sum, k, like);
	}
	put_line(t, e, kind, k->digits, k->extra ? in_us(k, sum[TIME]) : sum[COUNT]);
	put_line(t, e, READY, k->digits, in_us(k, sum[TIME + 1]));
	return sum[COUNT];
}

/* Write all of the file but its first line. */
static int put_all(const struct prof_stacks *k, const struct prof_sink *to)
{
	uint64_t over[SUMS] = {0}, count = 0, lost;
	struct text t = {.to = to};

	for (unsigned cpu = 0; cpu < k->ncpu; cpu++)
		t.used[cpu] = __atomic_load_n(&k->cpu[cpu].used, __ATOMIC_ACQUIRE);
	for (unsigned cpu = 0; k->cpu[0].word && cpu < k->ncpu; cpu++) {
		const prof_addr *word = k->cpu[cpu].word;

		for (uint32_t at = PROF_STACK_FIRST + k->extra; at < t.used[cpu];
		     at += prof_stack_entry_size(word[at + PROF_STACK_SHAPE]) + 1 + k->extra)
			count += put_entry(&t, k, cpu, word + at);
		add_sums(over, k, word);
	}
	count += over[COUNT];
	lost = k->extra ? in_us(k, over[TIME] + over[TIME + 1]) : over[COUNT];
	if (lost)
		put_number(&t, "[overflow] ", lost);
	put(&t, lost ? "\n# " : "# ");
	if (!k->extra)
		put_number(&t, "period_us=", prof_pace_mean(&k->pace, (uint32_t)count));
	put_number(&t, k->extra ? "unit=us waits=" : " ticks=", count);
	put_number(&t, " overflow=", lost);
	put_number(&t, " depth=", k->depth);
	if (k->extra)
		put_number(&t, " total_us=", t.total + lost);
	put_char(&t, '\n');
	flush(&t);
	return t.err;
}

int prof_stack_write(const struct prof *p, const struct prof_sink *to)
{
	return put_all(&p->stack, to);
}

int prof_stack_wait_write(const struct prof *p, const struct prof_sink *to)
{
	return put_all(&p->wait, to);
}

/* Bring records into order: ticks may come between a change of process and its record. */
static void sort(struct prof_trace_record *ring, uint32_t mask, uint32_t first, uint32_t n)
{
	uint32_t i, at;

	for (i = first + 1; i < n; i++) {
		struct prof_trace_record r = ring[i & mask];

		for (at = i; at > first && ring[(at - 1) & mask].time > r.time; at--)
			ring[at & mask] = ring[(at - 1) & mask];
		ring[at & mask] = r;
	}
}

/* Write a CPU's records, the oldest first. */
static void put_records(struct text *t, const struct prof *p, unsigned cpu)
{
	uint32_t n = prof_load(&p->trace.n[cpu]), size = p->trace.size, i = n > size ? n - size : 0;

	sort(p->trace.ring[cpu], size - 1, i, n);
	put_number(t, "# cpu=", cpu);
	put_number(t, " records=", n - i);
	put_number(t, " overwritten=", i);
	for (; i < n; i++) {
		const struct prof_trace_record *r = &p->trace.ring[cpu][i & (size - 1)];
		const struct prof_stacks *k = r->entry & 1 ? &p->wait : &p->stack;
		const prof_addr *e = k->cpu[cpu].word + (r->entry >> 1);
		uint32_t names = e[PROF_STACK_SHAPE] >> PROF_STACK_NAME & 0xff;

		put_number(t, "\n", prof_divide((r->time - p->trace.start) * 1000,
						p->trace.per_ms));
		put_number(t, " ", cpu);
		put_number(t, " ", r->pid);
		put_char(t, ' ');
		if (e == k->cpu[cpu].word) {
			put(t, r->entry & 1 ? "?;[switch]" : "?;[overflow]");
		} else if (r->entry & 1) {
			put_name(t, e + PROF_STACK_BODY, names);
			put(t, ";[switch]");
		} else {
			put_path(t, e, e[PROF_STACK_SHAPE] >> PROF_STACK_KIND & 15, k->digits);
		}
	}
	put_char(t, '\n');
}

int prof_trace_write(struct prof *p, const struct prof_sink *to)
{
	struct text t = {.to = to};
	bool ran = prof_pause(p, PROF_TRACE);

	for (unsigned cpu = 0; cpu < p->stack.ncpu; cpu++)
		put_records(&t, p, cpu);
	flush(&t);
	prof_switch(p, PROF_TRACE, ran);
	return t.err;
}

/* Return how many ticks the tables hold. */
static uint32_t stack_ticks(const struct prof_stacks *k)
{
	uint32_t ticks = 0;

	for (unsigned cpu = 0; cpu < k->ncpu && k->cpu[0].word; cpu++)
		ticks += prof_stack_share(k) - prof_load(&k->cpu[cpu].left);
	return ticks;
}

void prof_stack_period(struct prof_stacks *k, uint32_t us)
{
	prof_pace_set(&k->pace, stack_ticks(k), us);
}
