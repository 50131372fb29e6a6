/* The choice of the clocks' timers. */
#pragma once

/* Start the system clock and the profiling clock; every CPU's timer has been found by then. */
void clocks_init(void);
