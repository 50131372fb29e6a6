/*
 * The file kpstack(5): the paths of all CPUs together, folded, as text. One path may be in
 * the tables of several CPUs: the first of them that has it shows the sum.
 */
#include "prof/prof_stacktable.h"
#include "prof/prof_tick.h"

/* The most characters of text per word of an entry, its fixed words included. */
#define PER_WORD 11u
#define FIXED 160u /* the last lines */

struct text {
	char *at;
};

static void put(struct text *t, const char *s)
{
	while (*s)
		*t->at++ = *s++;
}

static void put_number(struct text *t, uint32_t n)
{
	char digit[10];
	unsigned i = 0;

	do
		digit[i++] = (char)('0' + n % 10);
	while ((n /= 10) > 0);
	while (i > 0)
		*t->at++ = digit[--i];
}

static void put_address(struct text *t, uint32_t a)
{
	int bit;

	put(t, ";0x");
	for (bit = 28; bit >= 0; bit -= 4)
		*t->at++ = "0123456789abcdef"[a >> bit & 15];
}

/* Characters that would change the line's meaning are shown as '_'. */
static void put_name(struct text *t, const uint32_t *word, uint32_t n)
{
	uint32_t i, c;

	for (i = 0; i < 4 * n && (c = word[i / 4] >> i % 4 * 8 & 0xff) != 0; i++) {
		bool bad = c <= ' ' || c > '~' || c == ';' || c == '#' || c == '[';

		*t->at++ = bad ? '_' : (char)c;
	}
}

static void put_path(struct text *t, const uint32_t *e)
{
	static const char *const kind[] = {
		[PROF_STACK_KERNEL] = ";[kernel]",
		[PROF_STACK_IDLE] = ";[idle]",
		[PROF_STACK_USER] = ";[user]",
		[PROF_STACK_INTERRUPT] = ";[interrupt]",
	};
	uint32_t shape = e[PROF_STACK_SHAPE], names = shape >> PROF_STACK_NAME & 0xff,
		 i = shape & 0xff;

	put_name(t, e + PROF_STACK_BODY, names);
	put(t, kind[shape >> PROF_STACK_KIND & 3]);
	if (shape & PROF_STACK_CUT)
		put(t, ";[cut]");
	while (i-- > 0)
		put_address(t, e[PROF_STACK_BODY + names + i]);
}

static void put_key(struct text *t, const char *key, uint32_t n)
{
	put(t, key);
	put_number(t, n);
}

/* Return the count of that CPU's entry like e, 0 if there was none when l was made. */
static uint32_t count_of(const struct prof_stacks *k, const struct prof_stack_look *l, unsigned cpu,
			 const uint32_t *e)
{
	uint32_t *slot,
		at = prof_stack_find(k, cpu, e, prof_stack_entry_size(e[PROF_STACK_SHAPE]), &slot);

	return at && at < l->used[cpu] ? prof_load(&k->cpu[cpu].word[at + PROF_STACK_COUNT]) : 0;
}

/* Write a path of that CPU, unless one before it had it. Return how many ticks it shows. */
static uint32_t put_entry(struct text *t, const struct prof_stacks *k,
			  const struct prof_stack_look *l, unsigned cpu, const uint32_t *e)
{
	uint32_t n = prof_load(&e[PROF_STACK_COUNT]);
	unsigned i;

	for (i = 0; i < k->ncpu; i++) {
		uint32_t other = i == cpu ? 0 : count_of(k, l, i, e);

		if (other && i < cpu)
			return 0;
		n += other;
	}
	put_path(t, e);
	put_key(t, " ", n);
	put(t, "\n");
	return n;
}

size_t prof_stack_look(const struct prof *p, struct prof_stack_look *l)
{
	size_t words = 0;
	unsigned cpu;

	for (cpu = 0; cpu < p->stack.ncpu; cpu++) {
		l->used[cpu] = __atomic_load_n(&p->stack.cpu[cpu].used, __ATOMIC_ACQUIRE);
		words += l->used[cpu];
	}
	return FIXED + words * PER_WORD;
}

size_t prof_stack_text(const struct prof *p, const struct prof_stack_look *l, char *out)
{
	const struct prof_stacks *k = &p->stack;
	struct text t = {out};
	uint32_t ticks = 0, over = 0, at;
	unsigned cpu;

	for (cpu = 0; prof_stack_on(p) && cpu < k->ncpu; cpu++) {
		const uint32_t *word = k->cpu[cpu].word;

		for (at = PROF_STACK_FIRST; at < l->used[cpu];
		     at += prof_stack_entry_size(word[at + PROF_STACK_SHAPE]) + 1)
			ticks += put_entry(&t, k, l, cpu, word + at);
		over += prof_load(&word[PROF_STACK_COUNT]);
	}
	if (over) {
		put_key(&t, "[overflow] ", over);
		put(&t, "\n");
	}
	put_key(&t, "# period_us=", prof_pace_mean(&k->pace, ticks + over));
	put_key(&t, " ticks=", ticks + over);
	put_key(&t, " overflow=", over);
	put_key(&t, " depth=", k->depth);
	put(&t, "\n");
	return (size_t)(t.at - out);
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
