/* Traps and interrupts, and the addresses in assembly code that C needs. */
#pragma once

#include "kernel/i386.h"

/* trap.c */
typedef void trap_fn(struct trapframe *tf);
void trap_init(void); /* the IDT */
void trap_load(void); /* on each CPU */
void trap_set(unsigned vector, trap_fn *fn);
void trap(struct trapframe *tf); /* called by isr.asm */

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

/* Addresses in user_copy: after a fault between stac and clac, it continues at failed. */
extern const struct user_copy_sites {
	uint32_t stac, clac, failed;
} user_copy_sites;

/* The end of a trap frame: where iret returns to. */
struct iretframe {
	uint32_t eip, cs, eflags;
};

/* isr.asm: entries by vector, a shorter one, and the instructions that become clac. */
extern const uint32_t isr_table[256], isr_clac_sites[2];
extern const uint8_t isr_return[]; /* where trap() returns to */
void isr_step(void);
void enter_user(struct trapframe *tf) __attribute__((noreturn));
