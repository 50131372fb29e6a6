/* Processors that an emulator runs in turn. */
#pragma once

#include <stdint.h>
#include "kernel/sched/clock.h"

/*
 * Find out whether an emulator runs the CPUs in turn, and if so see to it that each of them gets
 * turns. Once all CPUs have started, and with interrupts off, before turns_timer().
 */
void turns_init(void);

/*
 * Where CPUs run in turn, give each CPU two turns in ns, or in as much more as they need. Return
 * that time in TSC cycles. CPU 0 is to arm the timer of turns_timer() as often as that, and at least
 * every TURNS_NS; a clock that ticks has it in TURNS_PARTS parts of its period.
 */
#define TURNS_NS 1000000
#define TURNS_PARTS 4
uint32_t turns_pace(uint32_t ns);

/*
 * Return the timer t, or where CPUs run in turn one that is t but for this: it cannot be armed for
 * longer than TURNS_NS, and when CPU 0 arms it, its turn ends, and each of the others has one.
 * Then its `turns` is set. Only one such timer may be in use.
 */
const struct timer *turns_timer(const struct timer *t);
