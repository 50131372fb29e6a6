/* stack: the tables in which stack.c counts paths of calls, and what switches it on and off. */
#include "prof/port.h"
#include "prof/stacktable.h"
#include "prof/tick.h"

void stack_init(struct prof *p, unsigned ncpu, uint32_t trap)
{
	p->stack.ncpu = ncpu;
	p->stack.trap = trap;
	p->stack.depth = STACK_DEPTH;
	p->stack.pid = STACK_EVERY;
}

bool stack_on(const struct prof *p)
{
	return p->stack.cpu[0].word;
}

/* Free the tables, or what there is of them. */
static void free_all(struct stacks *k)
{
	unsigned cpu;

	for (cpu = 0; cpu < k->ncpu; cpu++) {
		prof_port_free(k->cpu[cpu].word);
		prof_port_free(k->cpu[cpu].slot);
		prof_port_free(k->cpu[cpu].recent);
		k->cpu[cpu] = (struct stack_cpu){0};
	}
}

/*
 * Empty the tables. At place 0 is the start of an entry that equals no other: it counts the
 * ticks whose path found no room.
 */
static void empty(struct stacks *k)
{
	uint32_t nslot = (UINT32_MAX >> k->shift) + 1, i;
	unsigned cpu;

	for (cpu = 0; cpu < k->ncpu; cpu++) {
		struct stack_cpu *c = &k->cpu[cpu];

		for (i = 0; i < nslot; i++)
			c->slot[i] = 0;
		for (i = 0; i < 1u << STACK_LOG2_RECENT; i++)
			stack_note(c, &c->recent[i], 0);
		for (i = 0; i < STACK_FIRST; i++)
			c->word[i] = i == STACK_COUNT ? 0 : STACK_NOWHERE;
		c->used = STACK_FIRST;
		c->left = stack_share(k);
	}
	pace_clear(&k->pace);
}

bool stack_open(struct prof *p)
{
	struct stacks *k = &p->stack;
	uint32_t nslot;
	unsigned cpu;

	if (stack_on(p))
		return true;
	k->nword = STACK_WORDS / k->ncpu - STACK_GROUP;
	for (k->shift = 31; UINT32_MAX >> k->shift < k->nword / 4 - 1; k->shift--)
		;
	nslot = (UINT32_MAX >> k->shift) + 1;
	for (cpu = 0; cpu < k->ncpu; cpu++) {
		struct stack_cpu *c = &k->cpu[cpu];

		c->slot = prof_port_alloc(nslot * sizeof(*c->slot));
		c->recent = prof_port_alloc(sizeof(*c->recent) << STACK_LOG2_RECENT);
		c->word = prof_port_alloc((k->nword + STACK_GROUP) * sizeof(*c->word));
		if (!c->slot || !c->recent || !c->word) {
			free_all(k);
			return false;
		}
	}
	empty(k);
	return true;
}

void stack_close(struct prof *p)
{
	prof_switch(p, PROF_STACK, false);
	prof_port_quiesce();
	free_all(&p->stack);
}

void stack_run(struct prof *p, bool on)
{
	prof_switch(p, PROF_STACK, on && stack_on(p));
}

void stack_clear(struct prof *p)
{
	bool ran = prof_wants(p, PROF_STACK);

	if (!stack_on(p))
		return;
	prof_switch(p, PROF_STACK, false);
	prof_port_quiesce();
	empty(&p->stack);
	prof_switch(p, PROF_STACK, ran);
}

void stack_depth(struct prof *p, uint32_t depth)
{
	p->stack.depth = depth;
}

void stack_only(struct prof *p, uint32_t pid)
{
	prof_store(&p->stack.pid, pid);
}
