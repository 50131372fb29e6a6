/*
 * stack: how often the program counter was found at the end of each path of calls, by frame
 * pointers; and how long processes waited there. kpstack(5) and kpwait(5) have the files.
 */
#pragma once

#include "prof/prof_sample.h"

#define PROF_STACK_EVERY UINT32_MAX /* no process has this number */
#define PROF_TRACE_MOST (1u << 24)  /* records of a CPU */

enum prof_stack_kind { PROF_STACK_KERNEL, PROF_STACK_IDLE, PROF_STACK_USER, PROF_STACK_INTERRUPT };

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
	uint32_t pad[3]; /* to a power of two: a shift finds a CPU's */
};

struct prof_stacks {
	unsigned ncpu;
	prof_addr trap; /* where trap() returns to: marks a trap's frame on the stack */
	uint32_t depth; /* most addresses in a path */
	uint32_t pid;	/* the only process that is counted, or PROF_STACK_EVERY; atomic */
	uint32_t digits; /* that an address is shown with */
	uint32_t nword; /* of each table */
	uint32_t shift; /* it has 2^(32 - shift) slots */
	uint32_t extra; /* words before each entry, for the times of waits */
	uint32_t per_ms; /* of the units that those are given in */
	struct prof_pace pace;
	struct prof_stack_cpu cpu[PROF_CPUS(PROF_HAVE_STACK)];
};

/* A moment in a CPU's ring: a tick, or that another process runs. */
struct prof_trace_record {
	uint64_t time;
	uint32_t pid;
	uint32_t entry; /* twice its place in the CPU's table, and 1 if that is the one of waits */
};

struct prof_trace {
	uint32_t size;	 /* records of each CPU, a power of two; 0: switched off */
	uint32_t per_ms; /* of the units that times are given in */
	uint64_t start;	 /* the time from which they are shown */
	bool switches;	 /* for who calls prof_trace_switch() */
	struct prof_trace_record *ring[PROF_CPUS(PROF_HAVE_STACK)];
	uint32_t n[PROF_CPUS(PROF_HAVE_STACK)]; /* records so far; atomic */
};

/*
 * Set the number of CPUs, and the address in the trap code where trap() returns to, by which
 * handlers' frames are recognized. Call this before all others: without it, or with a number that
 * is out of range, there are no tables to be had.
 */
void prof_stack_init(struct prof *p, unsigned ncpu, prof_addr trap);

/* Make empty tables, or return false if out of memory. Free them, once no tick is under way. */
bool prof_stack_open(struct prof *p);
void prof_stack_close(struct prof *p);
bool prof_stack_on(const struct prof *p); /* whether there are tables */

/* The same for waits, whose times are given in units of which a millisecond has per_ms. */
bool prof_stack_wait_open(struct prof *p, uint32_t per_ms);
void prof_stack_wait_close(struct prof *p);
bool prof_stack_wait_on(const struct prof *p);

/* These are for ticks and waits. */

void prof_stack_run(struct prof *p,
		    bool on);	       /* on: count, adding to earlier counts, what has tables */
void prof_stack_clear(struct prof *p); /* zeroes the counts; does not stop counting */
void prof_stack_depth(struct prof *p,
		      uint32_t depth); /* 1 to PROF_STACK_MAXDEPTH; without tables */
void prof_stack_only(struct prof *p, uint32_t pid);

/*
 * Count the path of a tick. A CPU may count its share of 2^32 - 1 ticks. It allocates
 * nothing, takes no lock, and reads no memory but the sample's and what hooks return.
 */
void prof_stack_tick(struct prof *p, const struct prof_sample *s);

/*
 * Add to the path of a process that runs again the times of its wait. By the CPU that it runs on,
 * with ticks the only ones to come between, until it is done.
 */
void prof_stack_wait(struct prof *p, const struct prof_sample *s);

/*
 * Keep the last ticks of each CPU, at least n of them and at most twice as many, or return false:
 * n is 0 or more than PROF_TRACE_MOST, there are no tables of paths, or, with switches, of waits,
 * or there is no memory. Whatever frees or empties those tables does so with this. Times are as for
 * prof_stack_wait_open().
 */
bool prof_trace_open(struct prof *p, uint32_t n, bool switches, uint32_t per_ms, uint64_t start);
void prof_trace_close(struct prof *p);

/*
 * Note a tick, after prof_sample(), or that from that time on the sample's process runs on this
 * CPU, from where prof_stack_wait() is called. While PROF_TRACE is on.
 */
void prof_trace_tick(struct prof *p, const struct prof_sample *s, uint64_t time);
void prof_trace_switch(struct prof *p, const struct prof_sample *s, uint64_t time);

/* Write the file kptrace(5), but its first line; nothing is noted meanwhile. */
int prof_trace_write(struct prof *p, const struct prof_sink *to);

/*
 * prof_stackout.c: write the file, as it is now but for its first line, piece by piece. Return 0,
 * or the sink's error. Counting may go on meanwhile.
 */
int prof_stack_write(const struct prof *p, const struct prof_sink *to);
int prof_stack_wait_write(const struct prof *p, const struct prof_sink *to);
