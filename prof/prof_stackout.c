/*
 * The files kpstack(5), kpwait(5) and kpmem(5): the paths of all CPUs together, folded, as text.
 * One path may be in the tables of several CPUs: the first of them that has it shows the sum.
 */
#include "prof/prof_stackout.h"

/* What is written, and the tables as they were when that began. */
struct stackout {
	struct prof_text t;
	uint32_t used[PROF_CPUS(PROF_HAVE_STACK)];
	uint64_t total; /* of the numbers in lines */
};

/*
 * How often a path was found; or how often it waited, how long that was, and how long ready; or how
 * many blocks it allocated, and how many bytes are in use, and were freed.
 */
struct sums {
	uint64_t count, waited, ready;
};

/* Return whether a character in a name would change a line's meaning. */
static bool stackout_bad(char c)
{
	static const char special[] = ";#[";
	bool is = c <= ' ' || c > '~';

	for (const char *at = special; *at; at++)
		is |= c == *at;
	return is;
}

void prof_stackout_name(struct prof_text *t, const prof_addr *e)
{
	uint32_t i, n = 4 * prof_stack_entry_names(e[PROF_STACK_SHAPE]);

	for (i = 0; i < n; i++) {
		char c = (char)(e[PROF_STACK_BODY + (i >> 2)] >> 8 * (i & 3) & 0xff);

		if (c == 0)
			return;
		if (stackout_bad(c))
			c = '_';
		prof_text_char(t, c);
	}
}

void prof_stackout_path(struct prof_text *t, const prof_addr *e, enum prof_cause what,
			uint32_t digits)
{
	prof_addr shape = e[PROF_STACK_SHAPE];
	const prof_addr *path = e + PROF_STACK_BODY + prof_stack_entry_names(shape);

	prof_stackout_name(t, e);
	prof_text_char(t, ';');
	prof_text_string(t, prof_cause_step[what]);
	if (shape & PROF_STACK_CUT)
		prof_text_string(t, ";[cut]");
	prof_text_steps(t, path, prof_stack_entry_frames(shape), digits);
}

bool prof_stackout_sound(const struct prof_stacks *k, unsigned cpu, uint32_t at)
{
	uint32_t used = __atomic_load_n(&k->cpu[cpu].used, __ATOMIC_ACQUIRE), n;
	const prof_addr *e = k->cpu[cpu].word + at;

	if (used > k->nword || at >= used || used - at < PROF_STACK_BODY)
		return false;
	n = prof_stack_entry_size(e[PROF_STACK_SHAPE]);
	if (n >= used - at || e[n] != PROF_STACK_NOWHERE)
		return false;
	return prof_stack_entry_cause(e[PROF_STACK_SHAPE]) < PROF_NCAUSE;
}

static uint64_t stackout_us(const struct prof_stacks *k, uint64_t time)
{
	if (time == 0)
		return 0;
	return prof_text_in_units(time, k->per_ms, 1000);
}

/*
 * Add what an entry of waits, or of memory, has. The times are read until none has changed
 * meanwhile. What was freed is read first: it is no more than what was allocated later.
 */
static void stackout_add_times(struct sums *sum, bool memory, const prof_addr *e)
{
	const struct prof_stack_times *t = (const struct prof_stack_times *)e - 1;
	uint64_t waited, ready;
	uint32_t n, done;

	do {
		done = __atomic_load_n(&t->done, __ATOMIC_ACQUIRE);
		ready = prof_stack_time(t->time[1]);
		waited = prof_stack_time(t->time[0]);
		n = (uint32_t)__atomic_load_n(&e[PROF_STACK_COUNT], __ATOMIC_RELAXED);
	} while (n != done);
	sum->count += n;
	sum->waited += waited;
	sum->ready += ready;
	if (memory)
		sum->waited -= ready;
}

/* Add what an entry has. */
static void stackout_add(struct sums *sum, const struct prof_stacks *k, const prof_addr *e)
{
	if (k->extra > 0)
		stackout_add_times(sum, k->memory, e);
	else
		sum->count += __atomic_load_n(&e[PROF_STACK_COUNT], __ATOMIC_RELAXED);
}

/* Return that CPU's entry like e, or NULL if there was none at first. */
static const prof_addr *stackout_like(const struct stackout *o, const struct prof_stacks *k,
				      unsigned cpu, const prof_addr *e)
{
	uint32_t *slot, n = prof_stack_entry_size(e[PROF_STACK_SHAPE]);
	uint32_t at = prof_stack_find(k, cpu, e, n, &slot);

	if (at == 0 || at >= o->used[cpu])
		return NULL;
	return k->cpu[cpu].word + at;
}

/* Write a line of the path, unless there is nothing to say. */
static void stackout_line(struct stackout *o, const prof_addr *e, enum prof_cause what,
			  uint32_t digits, uint64_t n)
{
	if (n == 0)
		return;
	prof_stackout_path(&o->t, e, what, digits);
	prof_text_print(&o->t, " %\n", (uint64_t[]){n});
	o->total += n;
}

/*
 * Write a path's waits: how many, how long for what it names, and how long ready. Or its memory:
 * how many blocks, how many bytes that are in use, and how many that were freed.
 */
static void stackout_timed(struct stackout *o, const struct prof_stacks *k, const prof_addr *e,
			   const struct sums *sum)
{
	uint64_t first = stackout_us(k, sum->waited), second = stackout_us(k, sum->ready);
	enum prof_cause what = prof_stack_entry_cause(e[PROF_STACK_SHAPE]), then = PROF_READY;

	if (k->memory) {
		what = PROF_IN_USE;
		then = PROF_FREED;
	}
	if (first + second > 0)
		prof_text_print(&o->t, "# count=%\n", (uint64_t[]){sum->count});
	stackout_line(o, e, what, k->digits, first);
	stackout_line(o, e, then, k->digits, second);
}

/* Write a path of that CPU, unless one before it had it. Return how often it was found. */
static uint64_t stackout_entry(struct stackout *o, const struct prof_stacks *k, unsigned cpu,
			       const prof_addr *e)
{
	enum prof_cause what = prof_stack_entry_cause(e[PROF_STACK_SHAPE]);
	struct sums sum = {0};

	for (unsigned i = 0; i < cpu; i++)
		if (stackout_like(o, k, i, e))
			return 0;
	stackout_add(&sum, k, e);
	for (unsigned i = cpu + 1; i < k->ncpu; i++) {
		const prof_addr *like = stackout_like(o, k, i, e);

		if (like)
			stackout_add(&sum, k, like);
	}
	if (k->extra > 0)
		stackout_timed(o, k, e, &sum);
	else
		stackout_line(o, e, what, k->digits, sum.count);
	return sum.count;
}

/* Write the paths of a CPU, until one is damaged, and return how often they were found. */
static uint64_t stackout_cpu(struct stackout *o, const struct prof_stacks *k, unsigned cpu)
{
	const prof_addr *word = k->cpu[cpu].word;
	uint64_t count = 0;

	for (uint32_t at = PROF_STACK_FIRST + k->extra; at < o->used[cpu];
	     at += prof_stack_entry_size(word[at + PROF_STACK_SHAPE]) + 1 + k->extra) {
		if (!prof_stackout_sound(k, cpu, at)) {
			prof_text_print(&o->t, "# damaged cpu=% word=%\n", (uint64_t[]){cpu, at});
			break;
		}
		count += stackout_entry(o, k, cpu, word + at);
	}
	return count;
}

/* Write all paths, and return how often they were found; *over becomes what found no room. */
static uint64_t stackout_entries(struct stackout *o, const struct prof_stacks *k, struct sums *over)
{
	uint64_t count = 0;

	for (unsigned cpu = 0; cpu < k->ncpu; cpu++)
		o->used[cpu] = __atomic_load_n(&k->cpu[cpu].used, __ATOMIC_ACQUIRE);
	for (unsigned cpu = 0; cpu < prof_stack_cpus(k); cpu++) {
		count += stackout_cpu(o, k, cpu);
		stackout_add(over, k, k->cpu[cpu].word);
	}
	return count + over->count;
}

/* Write what found no room, and the last line. */
static void stackout_end(struct stackout *o, const struct prof_stacks *k, uint64_t count,
			 uint64_t lost)
{
	static const char *const of_times[] = {
		"# unit=us waits=% overflow=% depth=% total_us=%\n",
		"# unit=bytes blocks=% overflow=% depth=% total_bytes=%\n",
	};

	if (lost)
		prof_text_print(&o->t, "[overflow] %\n", (uint64_t[]){lost});
	if (k->extra > 0)
		prof_text_print(&o->t, of_times[k->memory],
				(uint64_t[]){count, lost, k->depth, o->total + lost});
	else
		prof_text_print(&o->t, "# period_us=% ticks=% overflow=% depth=%\n",
				(uint64_t[]){prof_pace_mean(&k->pace, (uint32_t)count), count,
					     lost, k->depth});
}

int prof_stack_write(struct prof *p, uint32_t bit, const struct prof_sink *to)
{
	const struct prof_stacks *k = prof_stacks(p, bit);
	struct stackout o = {.t.to = to};
	struct sums over = {0};
	uint64_t count = stackout_entries(&o, k, &over), lost = over.count;

	if (k->extra > 0)
		lost = stackout_us(k, over.waited + over.ready);
	stackout_end(&o, k, count, lost);
	return prof_text_end(&o.t);
}
