/*
 * What prof_stack.c, which counts paths, shares with prof_stacktable.c, which has their tables,
 * with prof_stackout.c, which writes them, and with prof_tick.c.
 */
#pragma once

#include "prof/prof_tick.h"

/* An entry's words: then come its name's, and its addresses, innermost first. */
enum { PROF_STACK_HASH, PROF_STACK_COUNT, PROF_STACK_SHAPE, PROF_STACK_BODY };

/* Its shape: how many addresses, from bit 0; words of name; the kind; whether it was cut. */
#define PROF_STACK_NAME 8
#define PROF_STACK_KIND 16
#define PROF_STACK_CUT 0x80000000u

/* It ends each entry: no word of a name has this value, though a return address may. */
#define PROF_STACK_NOWHERE UINTPTR_MAX
#define PROF_STACK_GROUP 4 /* a table has as many words more than entries may use */
#define PROF_STACK_FIRST (PROF_STACK_BODY + 1u) /* where the first entry is */

/* What stands before an entry of waits. A reader whose `done' is not the count tries again. */
struct prof_stack_times {
	uint32_t done, unused; /* becomes PROF_STACK_COUNT when the times are those of it */
	uint32_t time[2][2];   /* waited for something, and ready to run; low half first; atomic */
} __attribute__((aligned(sizeof(prof_addr)), may_alias));

/* Return such a time, reading it before what is read next. */
static inline uint64_t prof_stack_time(const uint32_t t[2])
{
	return (uint64_t)__atomic_load_n(&t[1], __ATOMIC_ACQUIRE) << 32 |
	       __atomic_load_n(&t[0], __ATOMIC_ACQUIRE);
}

/* Return its size in words, without the last. */
static inline uint32_t prof_stack_entry_size(prof_addr shape)
{
	return PROF_STACK_BODY + (uint32_t)(shape >> PROF_STACK_NAME & 0xff) +
	       (uint32_t)(shape & 0xff);
}

/*
 * Find the CPU's entry that equals e, of n words, and return its index in the table; or return 0
 * and set *slot to the free hash slot for it, or to NULL if there is none.
 */
uint32_t prof_stack_find(const struct prof_stacks *k, unsigned cpu, const prof_addr *e, uint32_t n,
			 uint32_t **slot);

/* Return how many ticks one CPU may count. */
static inline uint32_t prof_stack_share(const struct prof_stacks *k)
{
	return (uint32_t)prof_divide(UINT32_MAX, k->ncpu);
}

/* prof_period() for the paths. */
void prof_stack_period(struct prof_stacks *k, uint32_t us);
