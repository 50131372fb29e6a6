/* The rate of the time stamp counter. */
#pragma once

#include <stdint.h>

/*
 * Measure how many cycles a second the TSC counts, which takes some 2 ms if nothing is in the way,
 * and print it. Return the rate of another 32-bit counter, which counts up, measured at the same
 * time. Once, at boot.
 */
uint64_t tsc_calibrate(uint32_t (*other)(void));

/* Return the TSC's cycles a second; 0 before it was calibrated. */
uint64_t tsc_hz(void);

/* Return the multiple of 10 MHz that lies within 0.02 % of a measured rate, or else the rate. */
uint64_t tsc_round_hz(uint64_t hz);
