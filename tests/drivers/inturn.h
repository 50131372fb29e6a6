/*
 * The kernel around its clocks, on CPUs that a model of QEMU runs in turn: timers, interrupts,
 * calls of all CPUs, and processes that load them. The clocks' code is the kernel's own.
 */
#ifndef TESTS_DRIVERS_INTURN_H
#define TESTS_DRIVERS_INTURN_H

#include "drivers/clock/profclock.h"
#include "tests/drivers/qemuturns.h"

/* What a CPU's process does again and again. */
enum load {
	LOAD_IDLE,   /* nothing: it halts */
	LOAD_SPIN,   /* user mode */
	LOAD_CALLS,  /* system calls */
	LOAD_FAULTS, /* page faults, which take a lock that all share */
	LOAD_FORKS,  /* all of it, for different times */
	LOAD_PIPES,  /* wakes the process on the next CPU, and waits for that of the one before */
	LOADS,
};

struct inturn {
	unsigned ncpu;
	bool divides; /* QEMU 8.1 */
	bool pit;     /* the profiling clock's timer: PIT, or each CPU's own */
	bool turns;   /* with what drivers/clock/turns.c does */
	unsigned hz;
	enum load load[QEMU_CPUS];
	uint32_t seed;
	void (*control)(void); /* guest: what the process does that controls the clock */
	unsigned on;	       /* its CPU */
};

/* Boot such a machine and have it run until control() returns, or then; whether it returned. */
bool inturn_run(const struct inturn *setup, uint64_t until);

extern uint64_t inturn_work[QEMU_CPUS]; /* instructions of the processes on each CPU */
extern unsigned inturn_samples[QEMU_CPUS]; /* calls of statclock() */

extern unsigned inturn_kernel[QEMU_CPUS];  /* those in handlers, and with interrupts off */

/* For control(): do nothing until then, or for so long; a number below n at random. */
void inturn_sleep(uint64_t ns);
uint32_t inturn_random(uint32_t n);

/* The timers, for a clock of the test's own. */
extern const struct timer inturn_lapic, inturn_pit;

#endif
