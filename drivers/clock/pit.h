/* The 8254 timer: one-shots from channel 0, and the TSC's rate by channel 2. */
#ifndef DRIVERS_CLOCK_PIT_H
#define DRIVERS_CLOCK_PIT_H

#include "kernel/clock.h"

/* One-shots of up to 54 ms, to CPU 0 only, by vector or by NMI. After ioapic_init. */
extern const struct timer pit_timer;

/* How often a second the TSC counts; measured by the first call, which takes about 10 ms. */
uint64_t pit_calibrate_tsc(void);

/* A measured rate, or the multiple of 10 MHz that it must have meant: one within 0.02 %. */
uint64_t pit_round_hz(uint64_t hz);

#endif
