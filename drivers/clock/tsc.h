/* The rate of the time stamp counter. */
#ifndef DRIVERS_CLOCK_TSC_H
#define DRIVERS_CLOCK_TSC_H

#include <stdint.h>

/* Return the TSC's cycles a second. The first call measures them, which takes about 10 ms. */
uint64_t tsc_hz(void);

/* Return the multiple of 10 MHz that lies within 0.02 % of a measured rate, or else the rate. */
uint64_t tsc_round_hz(uint64_t hz);

#endif
