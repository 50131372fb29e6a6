/* The entries into the kernel, and the way back from it. */
#pragma once

#include "kernel/machine/i386.h"

/* The end of a trap frame: where iret returns to. */
struct iretframe {
	uint32_t eip, cs, eflags;
};

/* Entries by vector, a shorter one, and the instructions that become clac. */
extern const uint32_t isr_table[256], isr_clac_sites[2];
extern const uint8_t isr_return[]; /* where trap() returns to */
void isr_step(void);
void enter_user(struct trapframe *tf) __attribute__((noreturn));
void double_fault_entry(void);
