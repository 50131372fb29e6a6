/*
 * The machine's vocabulary for hosted tests of drivers. It is included before everything else
 * and takes the place of kernel/machine/i386.h. Constants are the real ones; ports, memory and time
 * are the test's.
 */
#ifndef KERNEL_I386_H
#define __ASSEMBLER__
#include "kernel/machine/i386.h"
#undef __ASSEMBLER__
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "kernel/machine/lib.h"
#include "tests/fakes.h"

struct trapframe {
	uint32_t ebp, vector, eip, cs;
};

static inline bool tf_user(const struct trapframe *tf)
{
	return tf->cs & 3;
}

struct cpuid {
	uint32_t eax, ebx, ecx, edx;
};

/* Each test program has its own hardware. */
struct cpuid cpuid(uint32_t leaf);
void outb(uint16_t port, uint8_t v);
uint8_t inb(uint16_t port);
void outw(uint16_t port, uint16_t v);
uint16_t inw(uint16_t port);
void outl(uint16_t port, uint32_t v);
uint32_t inl(uint16_t port);
uint64_t rdtsc(void);
uint64_t rdmsr(uint32_t msr);
void wrmsr(uint32_t msr, uint64_t v);
void *p2v(uint32_t pa);
uint32_t v2p(const void *va);

static inline void irq_off(void)
{
}

/* Each irq_restore() must be given what its irq_save() returned: the depth. */
extern uint32_t fake_irqs_off;

static inline uint32_t irq_save(void)
{
	return fake_irqs_off++;
}

static inline void irq_restore(uint32_t flags)
{
	fake_irqs_off = flags;
}

/* What happens to the hardware while the kernel polls it; NULL: nothing. */
extern void (*fake_relax)(void);

static inline void cpu_relax(void)
{
	if (fake_relax)
		fake_relax();
}

/* The host's headers come before those that share names with them. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#define ssize_t kernel_ssize_t
#define timespec kernel_timespec
#include "kernel/process/proc.h"
#undef timespec

/* Which CPU "calls". */
extern unsigned fake_cpu;
#define cpu_id() fake_cpu
#define cpu_self() cpus[fake_cpu]
#endif
