/* Traps and interrupts, and the chip that passes these on. */
#pragma once

#include "kernel/machine/i386.h"

typedef void trap_fn(struct trapframe *tf);
void trap_init(void); /* the IDT */
void trap_load(void); /* on each CPU */
void trap_set(unsigned vector, trap_fn *fn);
void trap_leave(void (*resched)(void), void (*signalled)(void));
void trap(struct trapframe *tf); /* called by isr.asm */
/* Charge the program for this interrupt. */
void trap_unseen(const struct trapframe *tf, uint64_t since);
/* Print where the kernel went wrong, and panic. */
void trap_fatal(struct trapframe *tf, const char *what) __attribute__((noreturn));

/* The interrupt controller: device interrupts, and messages between CPUs. */
struct irqchip {
	void (*enable)(unsigned irq, unsigned vector); /* to CPU 0 */
	void (*eoi)(void);
	void (*ipi)(unsigned cpu, unsigned vector); /* from any context but NMI */
	/* To all but this CPU, from NMI too; the vector VEC_NMI sends an NMI. */
	void (*ipi_others)(unsigned vector);
};
extern const struct irqchip *irqchip; /* boot/ sets it, once; NULL before */
void irq_register(unsigned irq, const char *name, void (*fn)(void *arg), void *arg);
