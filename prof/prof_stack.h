/*
 * stack: how often the program counter was found at the end of each path of calls, by frame
 * pointers; and how long processes waited there. kpstack(5) and kpwait(5) have the files.
 */
#pragma once

#include "prof/prof_sample.h"

#define PROF_STACK_EVERY UINT32_MAX /* no process has this number */

/* An entry's words: then come its name's, and its addresses, innermost first. */
enum { PROF_STACK_HASH, PROF_STACK_COUNT, PROF_STACK_SHAPE, PROF_STACK_BODY };

/* What a trap came from. */
enum prof_stack_trap {
	PROF_STACK_AT_NOTHING, PROF_STACK_AT_INTERRUPT, PROF_STACK_AT_USER, PROF_STACK_AT_KERNEL
};

/* The entry found last with some pc and frame pointer. */
struct prof_stack_recent {
	prof_addr *entry;	 /* the table's start if there is none */
	const prof_addr *pc;	 /* in the entry: its innermost address */
	const prof_addr *program; /* and where the kernel's end; NULL: it equals no other */
	const prof_addr *end;
	prof_addr left;		 /* bytes of the kernel's stack from the frame there to the last */
	uint32_t named;		 /* as in that sample */
	uint32_t pid, entered;	 /* the system call in which the program's part was compared */
};

/* One CPU's table, written by its ticks alone. */
struct prof_stack_cpu {
	uint32_t *slot; /* a hash table of entries' indexes in word; 0: free; atomic */
	struct prof_stack_recent *recent; /* by pc and frame pointer, hashed */
	prof_addr *word; /* entries, one after the other: prof_stacktable.h; NULL: switched off */
	uint32_t used;	 /* words in use; atomic */
	uint32_t left;	 /* ticks that may yet be counted; atomic */
	uint32_t others; /* of those in use, words for others than the owner */
	uint32_t pad[2]; /* to a power of two: a shift finds a CPU's */
};

/*
 * What stands before an entry of waits, or of memory. A reader whose `done' is not the count tries
 * again.
 */
struct prof_stack_times {
	uint32_t done, unused; /* becomes PROF_STACK_COUNT when the times are those of it */
	uint32_t time[2][2];   /* waited for something, and ready to run; or bytes that were
				* allocated, and freed of these; low half first; atomic */
} __attribute__((aligned(sizeof(prof_addr)), may_alias));

struct prof_stacks {
	unsigned ncpu;
	prof_addr trap; /* where trap() returns to: marks a trap's frame on the stack */
	uint32_t depth; /* most addresses in a path */
	uint32_t digits; /* that an address is shown with */
	uint32_t nword; /* of each table */
	uint32_t shift; /* it has 2^(32 - shift) slots */
	uint32_t extra; /* words before each entry, for the times of waits, or bytes of memory */
	bool memory;
	uint32_t per_ms; /* of the units that those are given in */
	struct prof_pace pace;
	struct prof_stack_cpu cpu[PROF_CPUS(PROF_HAVE_STACK)];
};

/*
 * Set the number of CPUs, and the address in the trap code where trap() returns to, by which
 * handlers' frames are recognized. Call this before all others: without it, or with a number that
 * is out of range, there are no tables to be had.
 */
void prof_stack_init(struct prof *p, unsigned ncpu, prof_addr trap);

/*
 * Of ticks, PROF_STACK, of waits, PROF_WAIT, or of memory, PROF_HEAP: make empty tables, or return
 * false if there is no memory; free them, once no tick is under way; return whether there are some;
 * write the file as it is now but for its first line, piece by piece, while counting may go on.
 * Waits' times are given in units of which a millisecond has per_ms; for bytes that is 1000.
 * prof_profilers.h has the rest.
 */
bool prof_stack_open(struct prof *p, uint32_t bit, uint32_t per_ms);
void prof_stack_close(struct prof *p, uint32_t bit);
bool prof_stack_on(const struct prof *p, uint32_t bit);
int prof_stack_write(struct prof *p, uint32_t bit, const struct prof_sink *to);

/* These are for both. */
void prof_stack_depth(struct prof *p, uint32_t depth); /* 1 to PROF_STACK_MAXDEPTH; no tables */
void prof_stack_only(struct prof *p, uint32_t pid);    /* or PROF_STACK_EVERY */

/*
 * Return the sample's entry in the table of its CPU, new if need be. It allocates nothing, takes no
 * lock, and reads no memory but the sample's and what hooks return.
 */
prof_addr *prof_stackcache_find(struct prof_stacks *k, const struct prof_sample *s);

/* These are of the profilers' rows: prof_profilers.h. */
void prof_stack_clear(struct prof *p, uint32_t bit);
void prof_stack_period(struct prof *p, uint32_t us);
