/* What all profilers work with: counters of each CPU, random numbers, and a tick's sample. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "prof/prof_config.h"

typedef uintptr_t prof_addr; /* an address of this machine's */

_Static_assert(sizeof(prof_addr) == sizeof(void *), "an address is as wide as a pointer");

struct prof;
struct prof_module;
struct prof_profil;

/* Where a file goes, piece by piece: write() returns 0, or an error that ends the writing. */
struct prof_sink {
	int (*write)(void *arg, const void *data, size_t n);
	void *arg;
	unsigned width; /* for gmon.out: bytes of an address, 4 or 8; 0: as here */
};

/* Read and write counters that belong to one CPU: in no order, but never torn. */
static inline uint32_t prof_load(const uint32_t *p)
{
	return __atomic_load_n(p, __ATOMIC_RELAXED);
}

static inline void prof_store(uint32_t *p, uint32_t v)
{
	__atomic_store_n(p, v, __ATOMIC_RELAXED);
}

/*
 * The one generator of random numbers: multiplicative, with a period of 2^30. The state is
 * odd and stays so, so only the upper bits of a number are random.
 */
static inline uint32_t prof_random(uint32_t *state)
{
	return *state *= 2891336453u;
}

/* Return the state that number n begins with. The factor is even, so the state is odd. */
static inline uint32_t prof_seed(uint32_t n)
{
	return 0x9e3779b9u + n * 0x632be5aau;
}

/*
 * What the tick of the profiling clock interrupted. Of a wait, what a process waited for; it is
 * PROF_USER, or PROF_KERNEL, if it did not, but lost its CPU there, or let others have it.
 */
enum prof_mode {
	PROF_KERNEL, PROF_IDLE, PROF_USER,
	PROF_DEVICE = 4, PROF_PIPE, PROF_SLEEP, PROF_CHILD, PROF_LOCK
};

/* Where a CPU was when a tick, or a trap, came. */
struct prof_stack_place {
	prof_addr pc, fp; /* program counter, frame pointer */
	prof_addr ret;	  /* a return address that is not, or no longer, in a frame; or 0 */
};

/* All that the profilers need to know about a tick, and about a wait. */
struct prof_sample {
	unsigned cpu; /* from 0, below the number given to prof_kprof_init and prof_gmon_init */
	enum prof_mode mode;
	struct prof_stack_place at;

	/* If mode is PROF_USER: the program's module and the process's profil(2) data, or NULL. */
	struct prof_module *module;
	struct prof_profil *profil;

	/* These and at.ret are for PROF_STACK alone. */
	prof_addr lo, hi;  /* the used part of the kernel stack, [lo, hi), at least one frame */
	const void *stack; /* where lo can be read */
	uint32_t pid;
	uint32_t entered; /* changes at every kernel entry of the process */
	const char *name; /* of which up to 31 characters are kept */
	uint32_t named;	  /* a number that no other name has; it changes before the name does */

	/* Of a wait: how long it waited, unless mode is below PROF_DEVICE; and was ready to run. */
	uint64_t waited, ready;
};

/* How long the ticks of one data set were, even if the clock's rate changed between them. */
struct prof_pace {
	uint32_t us;	       /* per tick, now */
	uint32_t ticks_before; /* ticks taken before the period became us */
	uint32_t rates;	       /* how many periods, one after the other, these came from */
	uint64_t us_before;    /* the time that those ticks stand for */
};

/*
 * A profiler with a rate of its own takes a sample at a random point of each of its periods,
 * so that code which runs in step with a clock cannot hide.
 */
struct prof_beat {
	int32_t left; /* microseconds until the next sample is due */
	uint32_t at;  /* when it is due, from the start of its period */
	uint32_t period; /* microseconds; 0: it never began */
	uint32_t random; /* for prof_random() */
};
