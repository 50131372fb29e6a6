/* Which CPUs have nothing to run: a bit for each, which any CPU may change. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include "kernel/cpu.h"

#define IDLING_WORDS ((MAXCPU + 31) / 32)

extern uint32_t idling[IDLING_WORDS]; /* sched.c; atomic */

/* Count the CPU as idle, with a full barrier. */
static inline void idling_add(unsigned id)
{
	__atomic_fetch_or(&idling[id / 32], 1u << id % 32, __ATOMIC_SEQ_CST);
}

/* Count the CPU as idle no more; return whether it was. */
static inline bool idling_remove(unsigned id)
{
	uint32_t bit = 1u << id % 32;

	return __atomic_load_n(&idling[id / 32], __ATOMIC_RELAXED) & bit &&
	       __atomic_fetch_and(&idling[id / 32], ~bit, __ATOMIC_SEQ_CST) & bit;
}

/* Return the number of an idle CPU, or MAXCPU. */
static inline unsigned idling_first(void)
{
	for (unsigned i = 0; i < IDLING_WORDS; i++) {
		uint32_t bits = __atomic_load_n(&idling[i], __ATOMIC_RELAXED);
		if (bits)
			return i * 32 + (unsigned)__builtin_ctz(bits);
	}
	return MAXCPU;
}
