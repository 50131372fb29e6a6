/*
 * The file kpstack(5): the paths of all CPUs together, folded, as text. One path may be in
 * the tables of several CPUs: the first of them that has it shows the sum.
 */
#include "prof/prof_stacktable.h"
#include "prof/prof_tick.h"

/* What is written, a piece at a time, and the tables as they were when that began. */
struct text {
	const struct prof_sink *to;
	int err;    /* the sink's, which then gets no more */
	unsigned n; /* characters in piece */
	char piece[64];
	uint32_t used[PROF_CPUS(PROF_HAVE_STACK)];
};

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

static void put_key(struct text *t, const char *key, uint32_t n)
{
	char digit[11], *at = &digit[10];
	uint32_t rest;

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

static void put_path(struct text *t, const prof_addr *e, uint32_t digits)
{
	static const char *const kind[] = {
		[PROF_STACK_KERNEL] = ";[kernel]",
		[PROF_STACK_IDLE] = ";[idle]",
		[PROF_STACK_USER] = ";[user]",
		[PROF_STACK_INTERRUPT] = ";[interrupt]",
	};
	uint32_t shape = (uint32_t)e[PROF_STACK_SHAPE], i = shape & 0xff;
	uint32_t names = shape >> PROF_STACK_NAME & 0xff;

	put_name(t, e + PROF_STACK_BODY, names);
	put(t, kind[shape >> PROF_STACK_KIND & 3]);
	if (shape & PROF_STACK_CUT)
		put(t, ";[cut]");
	while (i-- > 0)
		put_address(t, e[PROF_STACK_BODY + names + i], digits);
}

/* Return an entry's count. */
static uint32_t count(const prof_addr *e)
{
	return (uint32_t)__atomic_load_n(&e[PROF_STACK_COUNT], __ATOMIC_RELAXED);
}

/* Return the count of that CPU's entry like e, or 0 if there was none at first. */
static uint32_t count_of(const struct text *t, const struct prof_stacks *k, unsigned cpu,
			 const prof_addr *e)
{
	uint32_t *slot, n = prof_stack_entry_size(e[PROF_STACK_SHAPE]);
	uint32_t at = prof_stack_find(k, cpu, e, n, &slot);

	return at && at < t->used[cpu] ? count(k->cpu[cpu].word + at) : 0;
}

/* Write a path of that CPU, unless one before it had it. Return how many ticks it shows. */
static uint32_t put_entry(struct text *t, const struct prof_stacks *k, unsigned cpu,
			  const prof_addr *e)
{
	uint32_t n = count(e);
	unsigned i;

	for (i = 0; i < k->ncpu; i++) {
		uint32_t other = i == cpu ? 0 : count_of(t, k, i, e);

		if (other && i < cpu)
			return 0;
		n += other;
	}
	put_path(t, e, k->digits);
	put_key(t, " ", n);
	put_char(t, '\n');
	return n;
}

int prof_stack_write(const struct prof *p, const struct prof_sink *to)
{
	const struct prof_stacks *k = &p->stack;
	uint32_t ticks = 0, over = 0, at;
	struct text t;
	unsigned cpu;

	t.to = to;
	t.err = 0;
	t.n = 0;
	for (cpu = 0; cpu < k->ncpu; cpu++)
		t.used[cpu] = __atomic_load_n(&k->cpu[cpu].used, __ATOMIC_ACQUIRE);
	for (cpu = 0; prof_stack_on(p) && cpu < k->ncpu; cpu++) {
		const prof_addr *word = k->cpu[cpu].word;

		for (at = PROF_STACK_FIRST; at < t.used[cpu];
		     at += prof_stack_entry_size(word[at + PROF_STACK_SHAPE]) + 1)
			ticks += put_entry(&t, k, cpu, word + at);
		over += count(word);
	}
	if (over)
		put_key(&t, "[overflow] ", over);
	ticks += over;
	put_key(&t, over ? "\n# period_us=" : "# period_us=", prof_pace_mean(&k->pace, ticks));
	put_key(&t, " ticks=", ticks);
	put_key(&t, " overflow=", over);
	put_key(&t, " depth=", k->depth);
	put_char(&t, '\n');
	flush(&t);
	return t.err;
}

/* Return how many ticks the tables hold. */
static uint32_t stack_ticks(const struct prof_stacks *k)
{
	uint32_t ticks = 0;
	unsigned cpu;

	for (cpu = 0; cpu < k->ncpu && k->cpu[0].word; cpu++)
		ticks += prof_stack_share(k) - prof_load(&k->cpu[cpu].left);
	return ticks;
}

void prof_stack_period(struct prof_stacks *k, uint32_t us)
{
	prof_pace_set(&k->pace, stack_ticks(k), us);
}
