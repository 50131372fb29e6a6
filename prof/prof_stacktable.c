/*
 * stack: the tables in which prof_stack.c counts paths of calls, and what switches it on and
 * off.
 */
#include "prof/prof_hooks.h"
#include "prof/prof_stacktable.h"
#include "prof/prof_tick.h"

void prof_stack_init(struct prof *p, unsigned ncpu, prof_addr trap)
{
	p->stack.ncpu = ncpu <= PROF_MAXCPU ? ncpu : 0;
	p->stack.trap = trap;
	p->stack.digits = 2 * sizeof(trap);
	p->stack.depth = PROF_STACK_DEPTH;
	p->stack.pid = PROF_STACK_EVERY;
	p->stack.per_ms = 1;
	p->wait = p->stack;
	p->wait.extra = sizeof(struct prof_stack_times) / sizeof(prof_addr);
}

bool prof_stack_on(const struct prof *p)
{
	return p->stack.cpu[0].word;
}

bool prof_stack_wait_on(const struct prof *p)
{
	return p->wait.cpu[0].word;
}

/* Free the tables, or what there is of them. */
static void free_all(struct prof_stacks *k)
{
	for (unsigned cpu = 0; cpu < k->ncpu; cpu++) {
		prof_hook_free(k->cpu[cpu].word ? k->cpu[cpu].word - k->extra : NULL);
		prof_hook_free(k->cpu[cpu].slot);
		prof_hook_free(k->cpu[cpu].recent);
		k->cpu[cpu] = (struct prof_stack_cpu){0};
	}
}

/*
 * Empty the tables. At place 0 is the start of an entry that equals no other: it counts the
 * ticks whose path found no room.
 */
static void empty(struct prof_stacks *k)
{
	uint32_t nslot = (UINT32_MAX >> k->shift) + 1, i;

	for (unsigned cpu = 0; cpu < k->ncpu && k->cpu[0].word; cpu++) {
		struct prof_stack_cpu *c = &k->cpu[cpu];

		for (i = 0; i < nslot; i++)
			c->slot[i] = 0;
		for (i = 0; i < 1u << PROF_STACK_LOG2_RECENT; i++)
			c->recent[i] = (struct prof_stack_recent){.entry = c->word, .pc = c->word};
		for (i = 0; i < PROF_STACK_FIRST; i++)
			c->word[i] = i == PROF_STACK_COUNT ? 0 : PROF_STACK_NOWHERE;
		for (i = 1; i <= k->extra; i++)
			c->word[-(int)i] = 0;
		c->used = PROF_STACK_FIRST + k->extra;
		c->left = prof_stack_share(k);
	}
	prof_pace_clear(&k->pace);
}

/* Make empty tables, or return false if out of memory. */
static bool make(struct prof_stacks *k)
{
	uint32_t nslot;
	unsigned cpu;

	if (k->cpu[0].word || k->ncpu == 0)
		return k->ncpu > 0;
	k->nword = (uint32_t)prof_divide(PROF_STACK_WORDS, k->ncpu) - PROF_STACK_GROUP - k->extra;
	for (k->shift = 31; UINT32_MAX >> k->shift < (k->nword >> 2) - 1; k->shift--)
		;
	nslot = (UINT32_MAX >> k->shift) + 1;
	for (cpu = 0; cpu < k->ncpu; cpu++) {
		struct prof_stack_cpu *c = &k->cpu[cpu];

		c->slot = prof_hook_alloc(nslot * sizeof(*c->slot));
		c->recent = prof_hook_alloc(sizeof(*c->recent) << PROF_STACK_LOG2_RECENT);
		c->word = prof_hook_alloc((k->nword + PROF_STACK_GROUP + k->extra) *
					  sizeof(*c->word));
		if (c->word)
			c->word += k->extra;
		if (!c->slot || !c->recent || !c->word) {
			free_all(k);
			return false;
		}
	}
	empty(k);
	return true;
}

bool prof_stack_open(struct prof *p)
{
	return make(&p->stack);
}

bool prof_stack_wait_open(struct prof *p, uint32_t per_ms)
{
	p->wait.per_ms = per_ms;
	return make(&p->wait);
}

void prof_trace_close(struct prof *p)
{
	prof_pause(p, PROF_TRACE);
	for (unsigned cpu = 0; cpu < p->stack.ncpu; cpu++) {
		prof_hook_free(p->trace.ring[cpu]);
		p->trace.ring[cpu] = NULL;
		p->trace.n[cpu] = 0;
	}
	p->trace.size = 0;
}

bool prof_trace_open(struct prof *p, uint32_t n, bool switches, uint32_t per_ms, uint64_t start)
{
	struct prof_trace *t = &p->trace;
	uint32_t size = 1;

	prof_trace_close(p);
	if (n == 0 || n > PROF_TRACE_MOST || !prof_stack_on(p) ||
	    (switches && !prof_stack_wait_on(p)))
		return false;
	while (size < n)
		size *= 2;
	for (unsigned cpu = 0; cpu < p->stack.ncpu; cpu++) {
		t->ring[cpu] = prof_hook_alloc(size * sizeof(*t->ring[cpu]));
		if (!t->ring[cpu]) {
			prof_trace_close(p);
			return false;
		}
	}
	t->per_ms = per_ms;
	t->start = start;
	t->switches = switches;
	t->size = size;
	return true;
}

void prof_stack_close(struct prof *p)
{
	prof_trace_close(p);
	prof_pause(p, PROF_STACK);
	free_all(&p->stack);
}

void prof_stack_wait_close(struct prof *p)
{
	if (p->trace.switches)
		prof_trace_close(p);
	prof_pause(p, PROF_WAIT);
	free_all(&p->wait);
}

void prof_stack_run(struct prof *p, bool on)
{
	prof_switch(p, PROF_STACK, on && prof_stack_on(p));
	prof_switch(p, PROF_WAIT, on && prof_stack_wait_on(p));
	prof_switch(p, PROF_TRACE, on && p->trace.size);
}

void prof_stack_clear(struct prof *p)
{
	uint32_t all = PROF_STACK | PROF_WAIT | PROF_TRACE, ran = prof_running(p) & all;

	prof_pause(p, all);
	empty(&p->stack);
	empty(&p->wait);
	for (unsigned cpu = 0; cpu < p->stack.ncpu; cpu++)
		p->trace.n[cpu] = 0;
	prof_switch(p, ran, true);
}

void prof_stack_depth(struct prof *p, uint32_t depth)
{
	p->stack.depth = p->wait.depth = depth;
}

void prof_stack_only(struct prof *p, uint32_t pid)
{
	prof_store(&p->stack.pid, pid);
}
