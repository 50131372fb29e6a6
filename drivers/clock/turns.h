/* Processors that an emulator runs in turn. */
#pragma once

#include "kernel/sched/clock.h"

/*
 * With `turns=on' on the command line: find out whether an emulator runs the CPUs in turn, and if
 * so see to it that each of them gets turns. Without, nothing here does anything. Once all CPUs
 * have started, and with interrupts off, before turns_timer().
 */
void turns_init(void);

/*
 * Set how often, in ns, the others get a turn, where CPUs run in turn. TURNS_SLOW is enough for the
 * system clock. A timer of which each CPU has one wants four in its period; one whose interrupts
 * CPU 0 passes on wants eight for each CPU.
 */
#define TURNS_SLOW 250000
void turns_pace(uint32_t ns);

/*
 * Return the timer t, or where CPUs run in turn one that is t but for this: a CPU that arms it
 * ends its turn, and each of the others has one. Its `turns` is set then.
 */
const struct timer *turns_timer(const struct timer *t);
