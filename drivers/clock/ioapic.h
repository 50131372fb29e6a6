/* The I/O APIC, which brings device interrupts to CPUs, and the 8259s that it replaces. */
#pragma once

#include "kernel/machine/trap.h"

/* Device interrupts by the I/O APIC; for irqchip. irq 0 to 15 are ISA's, the rest pins. */
extern const struct irqchip apic_chip;

/* Mask all of it and the 8259s. After acpi_init and lapic_init. */
void ioapic_init(void);

/*
 * Send irq to CPU 0 from now on, by vector, or as NMI if vector is VEC_NMI. Return 0, or -ENOTSUP
 * if no pin belongs to irq.
 */
int ioapic_route(unsigned irq, unsigned vector);

/* Note that PCI cards use irq, whatever the tables say about it. Call before routing it. */
void ioapic_level(unsigned irq);
