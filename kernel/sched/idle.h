/* CPUs that have nothing to run: a bit for each, which any CPU may change. */
#pragma once

#include "kernel/machine/cpu.h"

#define IDLE_WORDS ((MAXCPU + 31) / 32)

extern uint32_t idle_cpus[IDLE_WORDS]; /* atomic */

void sched_loop(void) __attribute__((noreturn)); /* the idle thread of each CPU */
void idle_wake_due(struct cpu *self); /* what idle_wake() has left to do; no lock is held */
void idle_hold(void); /* CPU 0 does not halt until idle_release() */
void idle_release(void);

/* Return the number of an idle CPU, or MAXCPU. */
static inline unsigned idle_first(void)
{
	for (unsigned i = 0; i < IDLE_WORDS; i++) {
		uint32_t bits = __atomic_load_n(&idle_cpus[i], __ATOMIC_RELAXED);
		if (bits)
			return i * 32 + (unsigned)__builtin_ctz(bits);
	}
	return MAXCPU;
}

/*
 * There is a process to run at CPU c: wake that if it is idle, or else another. The message takes
 * its time, and whoever is woken may want the locks held here, so these are released first.
 */
static inline void idle_wake(const struct cpu *c)
{
	struct cpu *self = cpu_self();

	if (idle_first() == MAXCPU)
		return;
	self->woken = c->id;
	self->nwoken++;
	if (!self->resched)
		self->resched = RESCHED_TURN;
	if (self->nlock == 0)
		idle_wake_due(self);
}
