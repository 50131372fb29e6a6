/*
 * What the entry stubs, prof/arch/MACHINE/mcount.S, must know of the CPU that they run on: where
 * its arcs are. The kernel keeps one struct prof_entry for each CPU, zero at first, and tells the
 * stub by PROF_ENTRY, in its configuration, how to find it: prof/README.md.
 */
#pragma once

#include "prof/prof_config.h"

/* Offsets, in words of the machine, and the size of an arc. */
#define PROF_ENTRY_LIMIT 0
#define PROF_ENTRY_FROMS __SIZEOF_POINTER__
#define PROF_ENTRY_ARCS (2 * __SIZEOF_POINTER__)
#define PROF_ENTRY_LOW (3 * __SIZEOF_POINTER__)
#define PROF_ENTRY_LOG2 (5 + __SIZEOF_POINTER__ / 8) /* of the bytes of struct prof_entry */

#ifndef __ASSEMBLER__
#include "prof/prof.h"

PROF_BEGIN
struct prof_entry {
	uintptr_t limit;       /* bytes of text from low on; 0: no calls are counted; atomic */
	const uint16_t *froms; /* the CPU's tables */
	uint32_t *arcs;	       /* the count of the first arc */
	uintptr_t low;
	uintptr_t size; /* what limit is while entries are on; 0: this CPU does not count */
	uintptr_t unused[3]; /* to a power of two: a shift finds a CPU's in an array */
};

PROF_ASSERT(sizeof(struct prof_entry) == 1 << PROF_ENTRY_LOG2, "assembly finds a CPU's");
PROF_ASSERT(offsetof(struct prof_entry, low) == PROF_ENTRY_LOW, "assembly knows the fields");
PROF_ASSERT(offsetof(struct prof_tostruct, count) == sizeof(uintptr_t),
	    "assembly finds an arc's address before its count");
PROF_ASSERT(sizeof(struct prof_tostruct) == (sizeof(uintptr_t) == 4 ? 16 : 24),
	    "assembly finds an arc");

/*
 * For prof_hook_arcs(): let the stub on the CPU whose this is count in those tables once entries
 * are on; or, if g is NULL, count nothing. The limit falls first and rises last, for an NMI may
 * come in between.
 */
static inline __attribute__((no_instrument_function)) void
prof_entry_set(struct prof_entry *e, const struct prof_gmon_param *g)
{
	__atomic_store_n(&e->limit, 0, __ATOMIC_RELEASE);
	e->size = g ? g->textsize : 0;
	if (!g)
		return;
	e->froms = g->froms;
	e->arcs = &g->tos->count;
	e->low = g->lowpc;
}

/* For prof_hook_entries(): let the stub on that CPU count, or return at once. */
static inline __attribute__((no_instrument_function)) void
prof_entry_switch(struct prof_entry *e, bool on)
{
	__atomic_store_n(&e->limit, on ? e->size : 0, __ATOMIC_RELEASE);
}
PROF_END
#endif
