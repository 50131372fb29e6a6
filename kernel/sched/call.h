/* Functions that one CPU has all of them run. */
#pragma once

void call_init(void); /* once there is a chip */

/* Run fn(arg) on every CPU, interrupts off, and return when all have; may sleep. */
void cpus_call(void (*fn)(void *arg), void *arg);
