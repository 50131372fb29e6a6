/* The paths of calls inside a guest: inside_stacks() of inside.h. */
#include <errno.h>
#include <stdlib.h>
#include "prof/prof_stacktable.h"
#include "tools/guest/peek.h"
#include "tools/memory.h"

#define STACK "kernel/prof/userprof.c:profilers.stack"

/* Copy a table of the guest's words, which are wider here. */
static int copy_words(struct inside *in, struct prof_stacks *k, unsigned cpu, struct complaint *why)
{
	uint32_t *word = memory_zeroed(k->nword, sizeof(*word)), i;
	int bad = peek_table(in, STACK ".cpu[%u].word", cpu, word, k->nword * sizeof(*word), why);

	for (i = 0; i < k->nword; i++)
		k->cpu[cpu].word[i] = word[i];
	free(word);
	return bad;
}

/*
 * Copy one CPU's table of paths, and check that nothing in it leads out of it: entries follow
 * each other up to `used`, each with its size, and slots say where lists of them begin.
 */
static int stack_copy(struct inside *in, struct prof_stacks *k, unsigned cpu, struct complaint *why)
{
	struct prof_stack_cpu *c = &k->cpu[cpu];
	uint32_t at, i, nslot = (UINT32_MAX >> k->shift) + 1;
	size_t slots = nslot * sizeof(*c->slot);

	if (peek_table(in, STACK ".cpu[%u].slot", cpu, c->slot, slots, why) < 0 ||
	    copy_words(in, k, cpu, why) < 0 ||
	    peek_number32(in, STACK ".cpu[%u].used", cpu, &c->used, why) < 0)
		return -1;
	if (c->used > k->nword)
		return complain(why, "the table of paths is damaged");
	for (at = PROF_STACK_FIRST; at < c->used;
	     at += prof_stack_entry_size(c->word[at + PROF_STACK_SHAPE]) + 1)
		if (c->used - at <= PROF_STACK_BODY ||
		    prof_stack_entry_size(c->word[at + PROF_STACK_SHAPE]) >= c->used - at)
			return complain(why, "the table of paths is damaged");
	for (i = 0; i < nslot; i++)
		if (c->slot[i] >= c->used && c->slot[i] != 0)
			return complain(why, "the table of paths is damaged");
	return 0;
}

/* Fill p with the guest's tables. Return 0, -1 and why, or 1 and why: stacks are off. */
static int stack_like(struct inside *in, struct prof *p, struct complaint *why)
{
	struct prof_stacks *k = &p->stack;
	uint32_t there, nword, shift;
	uint64_t ncpu;
	unsigned cpu;
	int bad;

	if (peek_number32(in, STACK ".cpu[0].word", 0, &there, why) < 0 ||
	    peek_number(in, STACK ".ncpu", 0, PROF_MAXCPU, &ncpu, why) < 0 ||
	    peek_number32(in, STACK ".nword", 0, &nword, why) < 0 ||
	    peek_number32(in, STACK ".shift", 0, &shift, why) < 0)
		return -1;
	if (there == 0 || ncpu == 0)
		return complain(why, "stacks are off in the guest"), 1;
	prof_stack_init(p, (unsigned)ncpu, 0);
	if (!prof_stack_open(p) || k->nword != nword || k->shift != shift)
		return complain(why, "the table of paths is damaged");
	k->digits = 8;
	bad = peek_number32(in, STACK ".depth", 0, &k->depth, why) < 0 ||
	      peek_pace(in, STACK ".pace", 0, &k->pace, why) < 0;
	for (cpu = 0; !bad && cpu < ncpu; cpu++)
		bad = stack_copy(in, k, cpu, why) < 0;
	return bad ? -1 : 0;
}

/* Write to a file; a sink's function. */
static int put(void *file, const void *data, size_t n)
{
	return fwrite(data, 1, n, file) == n ? 0 : errno;
}

/*
 * The text is as in /dev/kpstack: a line that names the kernel, what is known of the clock, and
 * the paths. A kernel of other drivers has another clock, of which nothing is known.
 */
int inside_stacks(struct inside *in, FILE *to, struct complaint *why)
{
	char id[RUNINFO_TEXT];
	struct prof p = {0};
	struct prof_sink sink = {.write = put, .arg = to};
	struct runinfo clock;
	struct complaint none;
	int bad = stack_like(in, &p, why);

	if (!bad) {
		fprintf(to, "# kpstack version=1 build=%s\n", inside_build(in, id));
		if (inside_clock(in, "kprof", &clock, &none) == 0)
			runinfo_print_clock(&clock, to);
		prof_stack_write(&p, &sink);
	}
	prof_stack_close(&p);
	return bad;
}
