/* The local APIC: interrupts between CPUs, and a timer for each CPU (SDM volume 3A, chapter 10). */
#pragma once

#include "kernel/sched/clock.h"

/*
 * Each CPU's own timer. Delivery by NMI is reserved in the manuals and works in some emulators
 * only: deliver(VEC_NMI) is -ENOTSUP unless lapic_try_nmi() was true.
 */
extern const struct timer lapic_timer;

/*
 * Try whether it can interrupt by NMI; another timer tells when that has failed, in 100 us or
 * in a second if that does not work either. Once, at boot, with interrupts off; it sets handlers.
 */
bool lapic_try_nmi(const struct timer *other);

/* Map it, enable CPU 0's, and find its timer's rate. After acpi_init. */
void lapic_init(void);

/* Enable the local APIC of the CPU that calls, and note its id in its struct cpu. */
void lapic_start(void);

/* End an interrupt, unless it was an NMI. */
void lapic_eoi(void);

/* Interrupt the CPU of that number; return when the message is out. Not from NMI. */
void lapic_ipi(unsigned cpu, unsigned vector);
void lapic_ipi_others(unsigned vector); /* to all CPUs but this one; VEC_NMI: an NMI */

/* Stop a CPU until it is started, by INIT. It needs 10 ms for that (8.4.4.1). */
void lapic_hold_cpu(uint32_t id);
/* Start such a CPU in real mode at pa, a page below 1 MB. */
void lapic_start_cpu(uint32_t id, uint32_t pa);
void lapic_delay(uint32_t us);
