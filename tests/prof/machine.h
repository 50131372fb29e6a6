/* A machine for the profilers to run on in a test: prof/prof_hooks.h's hooks, and what they saw. */
#ifndef TESTS_PROF_MACHINE_H
#define TESTS_PROF_MACHINE_H

#include <stdbool.h>
#include <stdint.h>
#include "prof/prof.h"

#define nelem(a) (sizeof(a) / sizeof((a)[0]))

extern _Thread_local unsigned machine_cpu; /* which CPU the calling thread is */

struct machine {
	int allocs_left;	/* allocations that succeed before all fail; -1: all do */
	unsigned alloc_fails;	/* which one fails alone, 1 being the next; 0: none */
	size_t largest;		/* bytes of the largest piece that they were given */
	void (*quiesce)(void);	/* what happens while ticks are waited for; NULL: nothing */
	void (*switched)(void); /* called with each switch of the entries; NULL */
	const void *(*user)(prof_addr addr); /* a program's memory; NULL: there is none */
	enum prof_stack_trap (*trap)(const void *frame, size_t room,
				     struct prof_stack_place *at); /* NULL */
	unsigned switches;	/* of the entries, on or off */
	const struct prof_gmon_param *arcs[PROF_MAXCPU]; /* given to each CPU's fast path */
};

extern struct machine machine;

/* Return how many pieces of memory the profilers have that were given to them. */
unsigned machine_given(void);

/* All as at power-on; frees what the profilers were given. */
void machine_reset(void);

/* Whether functions' entries call mcount now. */
bool machine_entries(void);

/* CPU cpu is within a tick, or a call, between these two. */
void machine_enter(unsigned cpu);
void machine_leave(unsigned cpu);

/* A tick as a kernel's clock gives it; the sample says all that there is to say. */
void machine_tick(struct prof *p, const struct prof_sample *s);

/* The number of kpdata at index i. */
uint32_t machine_be32(const uint8_t *data, uint32_t i);

/* A sink's function: write to the stream `to`. */
int machine_put(void *to, const void *data, size_t n);

#endif
