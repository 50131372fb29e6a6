/*
 * The tables of paths: what prof_stacktable.c, which makes them, shares with those that fill, read
 * and write them.
 */
#pragma once

#include "prof/prof_profilers.h"

/* Its shape: how many addresses, from bit 0; words of name; prof_cause; whether it was cut. */
#define PROF_STACK_NAME 8
#define PROF_STACK_CAUSE 16
#define PROF_STACK_CUT 0x80000000u

/* It ends each entry: no word of a name has this value, though a return address may. */
#define PROF_STACK_NOWHERE UINTPTR_MAX
#define PROF_STACK_FIRST (PROF_STACK_BODY + 1u) /* where the first entry is */

/* Return such a time, reading it before what is read next. */
static inline uint64_t prof_stack_time(const uint32_t t[2])
{
	return (uint64_t)__atomic_load_n(&t[1], __ATOMIC_ACQUIRE) << 32 |
	       __atomic_load_n(&t[0], __ATOMIC_ACQUIRE);
}

/* Return what an entry's shape says, and its size in words, without the last. */
static inline uint32_t prof_stack_entry_frames(prof_addr shape)
{
	return (uint32_t)(shape & 0xff);
}

static inline uint32_t prof_stack_entry_names(prof_addr shape)
{
	return (uint32_t)(shape >> PROF_STACK_NAME & 0xff);
}

static inline enum prof_cause prof_stack_entry_cause(prof_addr shape)
{
	return (enum prof_cause)(shape >> PROF_STACK_CAUSE & 15);
}

static inline uint32_t prof_stack_entry_size(prof_addr shape)
{
	return PROF_STACK_BODY + prof_stack_entry_names(shape) + prof_stack_entry_frames(shape);
}

/*
 * Find the CPU's entry that equals e, of n words, and return its index in the table; or return 0
 * and set *slot to the free hash slot for it, or to NULL if there is none.
 */
uint32_t prof_stack_find(const struct prof_stacks *k, unsigned cpu, const prof_addr *e, uint32_t n,
			 uint32_t **slot);

/* Return how many CPUs have tables: all or none. */
static inline unsigned prof_stack_cpus(const struct prof_stacks *k)
{
	if (!k->cpu[0].word)
		return 0;
	return k->ncpu;
}

/* Return how many ticks one CPU may count. */
static inline uint32_t prof_stack_share(const struct prof_stacks *k)
{
	return (uint32_t)prof_divide(UINT32_MAX, k->ncpu);
}

/* Return the tables of ticks, PROF_STACK, of waits, PROF_WAIT, or of memory, PROF_HEAP. */
static inline struct prof_stacks *prof_stacks(struct prof *p, uint32_t bit)
{
	if (bit == PROF_WAIT)
		return &p->wait;
	if (bit == PROF_HEAP)
		return &p->heap;
	return &p->stack;
}

/* Write the sample's path, and make its entry the recent one r (prof_stack.c). */
void prof_stack_add(struct prof_stacks *k, const struct prof_sample *s,
		    struct prof_stack_recent *r);
