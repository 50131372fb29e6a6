/*
 * stack: the tables in which prof_stack.c counts paths of calls. Those of ticks, of waits and
 * of memory are of one kind.
 */
#include "prof/prof_hooks.h"
#include "prof/prof_stacktable.h"

#define PROBES 32u /* a power of two: those slots are in one half of all */

void prof_stack_init(struct prof *p, unsigned ncpu, prof_addr trap)
{
	p->only = PROF_STACK_EVERY;
	p->stack.ncpu = ncpu <= PROF_MAXCPU ? ncpu : 0;
	p->stack.trap = trap;
	p->stack.digits = 2 * sizeof(trap);
	p->stack.depth = PROF_STACK_DEPTH;
	p->stack.per_ms = 1;
	p->wait = p->stack;
	p->wait.extra = sizeof(struct prof_stack_times) / sizeof(prof_addr);
	p->heap = p->wait;
	p->heap.memory = true;
}

bool prof_stack_on(const struct prof *p, uint32_t bit)
{
	return bit == PROF_WAIT ? p->wait.cpu[0].word : p->stack.cpu[0].word;
}

/* Free the tables, or what there is of them. */
static void stacktable_free(struct prof_stacks *k)
{
	for (unsigned cpu = 0; cpu < k->ncpu; cpu++) {
		struct prof_stack_cpu *c = &k->cpu[cpu];

		if (c->word)
			prof_hook_free(c->word - k->extra);
		prof_hook_free(c->slot);
		prof_hook_free(c->recent);
		*c = (struct prof_stack_cpu){0};
	}
}

/* Return how many slots a hash table has. */
static uint32_t stacktable_slots(const struct prof_stacks *k)
{
	return (UINT32_MAX >> k->shift) + 1;
}

/*
 * Empty a CPU's table. At place 0 is the start of an entry that equals no other: it counts the
 * ticks whose path found no room.
 */
static void stacktable_empty(const struct prof_stacks *k, struct prof_stack_cpu *c)
{
	for (uint32_t i = 0; i < stacktable_slots(k); i++)
		c->slot[i] = 0;
	for (uint32_t i = 0; i < 1u << PROF_STACK_LOG2_RECENT; i++)
		c->recent[i] = (struct prof_stack_recent){.entry = c->word, .pc = c->word};
	for (uint32_t i = 0; i < PROF_STACK_FIRST; i++)
		c->word[i] = PROF_STACK_NOWHERE;
	c->word[PROF_STACK_COUNT] = 0;
	for (uint32_t i = 1; i <= k->extra; i++)
		c->word[-(int)i] = 0;
	c->used = PROF_STACK_FIRST + k->extra;
	c->left = prof_stack_share(k);
	c->others = 0;
}

void prof_stack_clear(struct prof *p, uint32_t bit)
{
	struct prof_stacks *k = prof_stacks(p, bit);

	for (unsigned cpu = 0; cpu < prof_stack_cpus(k); cpu++)
		stacktable_empty(k, &k->cpu[cpu]);
	prof_pace_clear(&k->pace);
}

/* Allocate a CPU's table, or what there is memory for: then return false. */
static bool stacktable_alloc(const struct prof_stacks *k, struct prof_stack_cpu *c)
{
	c->slot = prof_hook_alloc(stacktable_slots(k) * sizeof(*c->slot));
	c->recent = prof_hook_alloc(sizeof(*c->recent) << PROF_STACK_LOG2_RECENT);
	c->word = prof_hook_alloc((k->nword + k->extra) * sizeof(*c->word));
	if (!c->word)
		return false;
	c->word += k->extra;
	return c->slot && c->recent;
}

bool prof_stack_open(struct prof *p, uint32_t bit, uint32_t per_ms)
{
	struct prof_stacks *k = prof_stacks(p, bit);

	k->per_ms = per_ms;
	if (k->ncpu == 0)
		return false;
	if (k->cpu[0].word)
		return true;
	k->nword = (uint32_t)prof_divide(PROF_STACK_WORDS, k->ncpu) - k->extra;
	for (k->shift = 31; UINT32_MAX >> k->shift < (k->nword >> 2) - 1; k->shift--)
		;
	for (unsigned cpu = 0; cpu < k->ncpu; cpu++) {
		if (!stacktable_alloc(k, &k->cpu[cpu])) {
			stacktable_free(k);
			return false;
		}
	}
	prof_stack_clear(p, bit);
	return true;
}

void prof_stack_close(struct prof *p, uint32_t bit)
{
	if (bit == PROF_STACK || p->trace.what & bit)
		prof_trace_close(p, PROF_TRACE);
	prof_pause(p, bit);
	stacktable_free(prof_stacks(p, bit));
}

void prof_stack_depth(struct prof *p, uint32_t depth)
{
	p->stack.depth = p->wait.depth = p->heap.depth = depth;
}

void prof_stack_only(struct prof *p, uint32_t pid)
{
	prof_store(&p->only, pid);
}

/* Return whether n words are the same. */
static inline bool stacktable_same(const prof_addr *a, const prof_addr *b, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

uint32_t prof_stack_find(const struct prof_stacks *k, unsigned cpu, const prof_addr *e, uint32_t n,
			 uint32_t **slot)
{
	const struct prof_stack_cpu *c = &k->cpu[cpu];
	uint32_t hash = (uint32_t)e[PROF_STACK_HASH], i = hash >> k->shift, at;

	for (uint32_t probe = 0; probe < PROBES; probe++) {
		*slot = &c->slot[i ^ probe];
		at = __atomic_load_n(*slot, __ATOMIC_ACQUIRE);
		if (at == 0)
			return 0;
		if (c->word[at] != hash)
			continue;
		if (stacktable_same(c->word + at + PROF_STACK_SHAPE, e + PROF_STACK_SHAPE,
				    n - PROF_STACK_SHAPE))
			return at;
	}
	*slot = NULL;
	return 0;
}

void prof_stack_period(struct prof *p, uint32_t us)
{
	struct prof_stacks *k = &p->stack;
	uint32_t ticks = 0; /* that the tables hold */

	for (unsigned cpu = 0; cpu < prof_stack_cpus(k); cpu++)
		ticks += prof_stack_share(k) - prof_load(&k->cpu[cpu].left);
	prof_pace_set(&k->pace, ticks, us);
}
