/* What all profilers work with: counters of each CPU, which CPUs are meant, a tick's sample. */
#pragma once

#include <stddef.h>
#include "prof/prof_beat.h"
#include "prof/prof_pace.h"
#include "prof/prof_cause.h"

typedef uintptr_t prof_addr; /* an address of this machine's */

PROF_ASSERT(sizeof(prof_addr) == sizeof(void *), "an address is as wide as a pointer");

struct prof;
struct prof_module;
struct prof_profil;

/* Where a file goes, piece by piece: write() returns 0, or an error that ends the writing. */
struct prof_sink {
	int (*write)(void *arg, const void *data, size_t n);
	void *arg;
	unsigned width; /* for gmon.out: bytes of an address, 4 or 8; 0: as here */

	/* Of a kernel that was moved: addresses from there on are so much above its ELF file's. */
	prof_addr moved, by;
};

/* Return the ELF file's address. */
static inline prof_addr prof_sink_address(const struct prof_sink *to, prof_addr a)
{
	return a < to->moved ? a : a - to->by;
}

/* Read and write counters that belong to one CPU: in no order, but never torn. */
static inline uint32_t prof_load(const uint32_t *p)
{
	return __atomic_load_n(p, __ATOMIC_RELAXED);
}

static inline void prof_store(uint32_t *p, uint32_t v)
{
	__atomic_store_n(p, v, __ATOMIC_RELAXED);
}

/* Add, and saturate. */
static inline uint32_t prof_add(uint32_t a, uint32_t b)
{
	return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

/* Return whether that many CPUs, at least one, have room. */
static inline bool prof_has_room(unsigned ncpu)
{
	return ncpu - 1 < PROF_MAXCPU;
}

/*
 * Return the bounds, [prof_first_cpu, prof_past_cpu), of the CPUs that `which` means: one number,
 * or all.
 */
static inline unsigned prof_first_cpu(unsigned which)
{
	return which < PROF_MAXCPU ? which : 0;
}

static inline unsigned prof_past_cpu(unsigned which, unsigned ncpu)
{
	return which < PROF_MAXCPU ? which + 1 : ncpu;
}

/* Where a CPU was when a tick, or a trap, came. */
struct prof_stack_place {
	prof_addr pc, fp; /* program counter, frame pointer */
	prof_addr ret;	  /* a return address that is not, or no longer, in a frame; or 0 */
};

/* All that the profilers need to know about a tick, and about a wait. */
struct prof_sample {
	unsigned cpu; /* from 0, below the number given to prof_kprof_init and prof_gmon_init */
	enum prof_cause what;
	struct prof_stack_place at;

	/* If what is PROF_USER: the program's module and the process's profil(2) data, or NULL. */
	struct prof_module *module;
	struct prof_profil *profil;

	/* These and at.ret are for PROF_STACK alone. */
	prof_addr lo, hi;  /* the used part of the kernel stack, [lo, hi): prof_arch_find() */
	const void *stack; /* where lo can be read */
	uint32_t pid;
	uint32_t entered; /* changes at every kernel entry of the process */
	const char *name; /* of which up to 32 characters are kept; NULL: "kernel" */
	uint32_t named;	  /* a number that no other name has; it changes before the name does */
	bool others;	  /* not the owner's: all these together have half of the room for paths */

	/*
	 * Of a wait: how long it waited, 0 unless prof_cause_waits(), and was ready to run. Of
	 * memory: how many bytes were allocated, and 0.
	 */
	uint64_t waited, ready;
};

