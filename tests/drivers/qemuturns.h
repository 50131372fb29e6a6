/*
 * A model of how QEMU runs CPUs in turn under -icount, as in accel/tcg/tcg-accel-ops-rr.c and
 * tcg-accel-ops-icount.c of QEMU 7.2, or of 8.1 on, which divides the time among the CPUs.
 *
 * Each CPU is a coroutine. What it executes is told by qemu_run_for(); nothing happens in between.
 * Time is in ns; an instruction takes QEMU_NS of it, on whichever CPU it is executed.
 */
#ifndef TESTS_DRIVERS_QEMUTURNS_H
#define TESTS_DRIVERS_QEMUTURNS_H

#include <stdbool.h>
#include <stdint.h>

#define QEMU_NS 8 /* shift=3 */
#define QEMU_CPUS 8
#define QEMU_TIMERS 16
#define QEMU_NEVER UINT64_MAX

/* What the model asks of the machine that it is of; functions that guest CPUs run are marked. */
struct qemu_machine {
	void (*main)(unsigned cpu);	/* guest: what a CPU executes; it never returns */
	bool (*take)(unsigned cpu);	/* accept an interrupt, if one is pending and let in */
	bool (*work)(unsigned cpu);	/* whether one is, so that a CPU that has halted goes on */
	void (*handle)(unsigned cpu);	/* guest: handle what was accepted */
	void (*expired)(unsigned timer); /* a timer is due: it may be armed again */
};

/* A turn that a CPU had. */
struct qemu_turn {
	unsigned cpu;
	uint64_t start, end; /* equal: it was passed over */
};

/* A new machine at time 0; `divides`: it is QEMU 8.1. */
void qemu_start(unsigned ncpu, bool divides, const struct qemu_machine *m);

/* Run until then; false if the machine has halted for ever. */
bool qemu_run(uint64_t until);

extern uint64_t qemu_time;
extern unsigned fake_cpu; /* which CPU runs */
extern void (*qemu_turned)(const struct qemu_turn *turn); /* told of each turn, or NULL */

/* For guest CPUs: execute n instructions, let others run, halt until there is an interrupt. */
void qemu_run_for(uint32_t n);
void qemu_pause(void);
void qemu_halt(void);

/* Arm a timer: in a guest's store, which may end its turn, or in expired(). */
void qemu_arm(unsigned timer, uint64_t at);
void qemu_disarm(unsigned timer);

#endif
