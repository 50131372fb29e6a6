/*
 * calls: how long each call of the chosen functions took, by caller and callee. At a function's
 * entry its return address is kept on a stack of the thread's own, and another takes its place,
 * `back`; the code there counts the call, and gives the address again. kpcall(5) has the file.
 *
 * Times are the thread's: the clock's, less while the thread did not run, and less what measuring
 * takes itself. A call's time contains that of its callees.
 */
#pragma once

#include "prof/prof_sample.h"

#define PROF_CALL_DEPTH 64u   /* calls of a thread that are measured at a time */
#define PROF_CALL_TABLE 4096u /* cells of a table, which is a hash: a power of two */
#define PROF_CALL_ARCS (PROF_CALL_TABLE - 2u) /* pairs of caller and callee for each CPU */
#define PROF_CALL_SPANS 48u /* cell b of a histogram has the calls of 2^b to 2^(b+1) - 1 */
#define PROF_CALL_CELL 256u /* bytes of a pair */
#define PROF_CALL_HASH 0x9e3779b1u

/* A function's entry, as x86's calls of the entry stub leave it on the stack. */
struct prof_call_site {
	prof_addr self; /* in the function: where the stub returns to */
	prof_addr ret;	/* where the function will return to */
};

/*
 * A call under way. A machine's stub may do what is in prof_call_enter() and prof_call_leave() for
 * most calls, and knows this struct and the next three.
 */
struct prof_call_frame {
	prof_addr *slot; /* where its return address was */
	prof_addr ret;
	prof_addr lo;		   /* no entry below is measured: the stack's end, or all is full */
	bool shown;		   /* the return address is there again, for now */
	struct prof_call_arc *arc; /* on the CPU that the thread runs on */
	uint64_t start;		   /* by the thread's clock */
};

/* A thread's calls under way. Only the CPU that it runs on changes them, with interrupts off. */
struct prof_call_stack {
	struct prof_call_frame *top; /* the innermost; frame[0] is no call, its slot is hi */
	bool busy;		     /* while it is changed: calls by an NMI are lost then */
	uint64_t left, past;	     /* when it left a CPU last, by the clock, and by its own */
	struct prof_call_frame frame[1 + PROF_CALL_DEPTH];
};

/* What is counted of a caller and a callee. */
struct prof_call_arc {
	prof_addr from, self;  /* return address, callee; 0: the cell is free */
	uint64_t total, inner; /* inner: what measured callees took of it, and of calls under way */
	uint64_t away;	       /* while another thread ran, which is no part of the other times */
	uint64_t shortest, longest;
	uint32_t least, most;		/* times of 32 bits between these change neither of them */
	uint32_t span[PROF_CALL_SPANS]; /* their sum is the number of calls */
} __attribute__((aligned(PROF_CALL_CELL)));

/* A CPU's. Only that CPU writes it, and its table, with interrupts off. */
struct prof_call_cpu {
	struct prof_call_arc *arc;     /* the last two: outermost calls' caller's, no pair's */
	struct prof_call_stack *stack; /* of the thread that runs; NULL: none yet */
	uint64_t offset;	       /* what to add to the CPU's clock for that thread's */
	struct prof *prof;	       /* whose it is */
	uint32_t in, cost; /* what a measured call takes longer: in itself, and in all */
	uint32_t lost;	   /* calls that were not measured, or not counted */
	uint32_t left;	   /* measured ones that never returned */
	prof_addr back;

	/* The flight recorder, of prof_trace.h: where calls are noted, and of which process. */
	struct prof_trace_ring *ring;
	uint32_t pid;
	prof_addr less[2]; /* of an entry, of a return: its arc's address less this stands for it */
	bool others;	   /* that process is not the owner's */
	bool stub;	   /* the machine's stub notes them, so that prof_call.c need not */
	unsigned cpu;
};

struct prof_calls {
	unsigned ncpu;
	uint32_t digits; /* of an address in the file */
	struct prof_call_cpu *cpu[PROF_CPUS(PROF_HAVE_CALL)];
};

/*
 * Give CPU number `cpu`, the next one, its counters, and say where the code is that calls
 * prof_call_leave().
 */
void prof_call_init(struct prof *p, unsigned cpu, struct prof_call_cpu *c, prof_addr back);

/* Say what a measured call costs, in units of the clock. */
void prof_call_cost(struct prof *p, uint32_t in, uint32_t out);

/* Make the calls of a thread none; its own stack is [lo, hi). */
void prof_call_thread(struct prof_call_stack *s, prof_addr lo, prof_addr hi);

/* From that time on that thread runs on the CPU. With interrupts off. */
void prof_call_run(struct prof_call_cpu *c, struct prof_call_stack *s, uint64_t now);

/*
 * The thread that runs enters a function, at that time. If the call can be measured, at->ret
 * becomes `back`, and what is returned is where the clock's time has to be added, last of all; else
 * NULL. From the entry stub, with interrupts off, or from an NMI.
 */
uint64_t *prof_call_enter(struct prof_call_cpu *c, struct prof_call_site *at, uint64_t now);

/*
 * The function that had its return address in that slot returned to `back` at that time. Count the
 * call and return the address. From the code there, with interrupts off, or from an NMI.
 */
prof_addr prof_call_leave(struct prof_call_cpu *c, const prof_addr *slot, uint64_t now);

/*
 * It is that time, and the calls of a thread that does not run will not return, or not to `back`.
 * Their time is counted, they are not. With interrupts off.
 */
void prof_call_end(struct prof_call_cpu *c, struct prof_call_stack *s, uint64_t now);

/*
 * Put the return addresses back where they were, for who follows the stack; and hide again those
 * that were shown. For the calling thread, one that the caller has interrupted, by an NMI perhaps,
 * or one that does not run. Calls that are shown and never hidden again are measured no more.
 */
void prof_call_show(const struct prof_call_cpu *c, struct prof_call_stack *s);
void prof_call_hide(const struct prof_call_cpu *c, struct prof_call_stack *s);

/* Return what `ret`, where the calling function returns to, stands for. */
prof_addr prof_call_real(const struct prof_call_cpu *c, prof_addr ret);

/* Return the shortest time of any call. */
uint64_t prof_call_shortest(const struct prof *p);

/* These are of the row of this profiler: prof_profilers.h. */
bool prof_call_open(struct prof *p, uint32_t bit, uint32_t per_ms);
void prof_call_close(struct prof *p, uint32_t bit);
void prof_call_clear(struct prof *p, uint32_t bit);
int prof_call_write(struct prof *p, uint32_t bit, const struct prof_sink *to);
