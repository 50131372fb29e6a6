/* The 8254 programmable interval timer. */
#pragma once

#include "kernel/sched/clock.h"

/* One-shots of up to 54 ms, to CPU 0 only, by vector or by NMI. After ioapic_init. */
extern const struct timer pit_timer;
