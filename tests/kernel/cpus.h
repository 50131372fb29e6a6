/*
 * CPUs that are threads: for tests that include the kernel's own files after this one. Constants of
 * the machine are the real ones, the interrupt flag is the thread's, and so is cpu_self().
 */
#ifndef TESTS_KERNEL_CPUS_H
#define TESTS_KERNEL_CPUS_H

#include <pthread.h>
#include <sched.h>
#include <unistd.h>
#include "tests/test.h"

#define __ASSEMBLER__
#include "kernel/machine/i386.h"
#undef __ASSEMBLER__
#define KERNEL_I386_H

struct trapframe;

static __thread uint32_t eflags = EFL_IF;

static inline uint32_t irq_save(void)
{
	uint32_t before = eflags;

	eflags = 0;
	return before;
}

static inline void irq_restore(uint32_t before)
{
	if (before & EFL_IF)
		eflags = EFL_IF;
}

static inline void cpu_relax(void)
{
	sched_yield();
}

#define ssize_t kernel_ssize_t
#define timespec kernel_timespec
#define sched_yield kernel_sched_yield
#define syscall kernel_syscall
#include "kernel/machine/cpu.h"
static __thread struct cpu *self;
#define cpu_self() self

#endif
