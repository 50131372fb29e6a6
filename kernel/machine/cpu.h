/* The CPUs, and the data of each. */
#pragma once

#include "kernel/machine/check.h"
#include "kernel/machine/i386.h"
#include "kernel/prof/state.h"

#define MAXCPU 64
#define KSTACK_PAGES 2 /* of a kernel stack */

/* The state of a task (SDM 3A, 7.2.1). */
struct tss {
	uint32_t link, esp0, ss0, unused[4];
	uint32_t cr3, eip, eflags, eax, ecx, edx, ebx, esp, ebp, esi, edi;
	uint32_t es, cs, ss, ds, fs, gs, ldt;
	uint16_t trap, iomap;
};

/* One CPU's data; %gs points here in the kernel. */
struct cpu {
	struct cpu *self;
	unsigned id;
	struct proc *proc;	/* atomic; the running one, or what stands for it at boot */
	struct proc *idle;
	struct runq *runq;	/* runq.h */
	struct prof_entry entry; /* where calls are counted: prof/arch/i386/mcount.S */
	struct prof_call_cpu calls; /* where durations of calls are counted: kernel/prof/calls.c */
	uint32_t nlock;		/* spin locks held here */
	uint32_t irqs_before;	/* EFLAGS before the first of them; 0: there is none */
	uint8_t resched;	/* atomic; what to do on the way back to user mode: below, or 0 */
	unsigned slice;		/* system clock ticks since the last change of process */
	unsigned woken, nwoken; /* CPUs to wake when no lock is held: best this; how many */
	struct proc *dead;	/* an ended one: the next to run here frees its stack */
	struct fpu *fpu;	/* of proc, if it has used it since it came here; or NULL */
	uint64_t next_tick;	/* ns: when the system clock interrupts next */
	uint64_t wake_at;	/* ns: when its first sleeper is to wake, or before that */
	uint64_t ticked;	/* ns: when it did last; others look at it */
	struct vm *vm;		/* atomic; it may hold translations of this; NULL: kernel's */
	bool halted;		/* in the idle loop's halt */
	uint32_t lapic;		/* local APIC id */
	struct tss *tss;	/* its esp0 is the stack of the next entry from user mode */
	uint64_t switches, interrupts, syscalls, faults; /* for /dev/sysstat */
	struct check_cpu check;
};

#define RESCHED 1      /* the time slice is over, or there is a process to run */
#define RESCHED_TURN 2 /* another CPU was woken: pause, for an emulator may run them in turn */

extern struct cpu *cpus[MAXCPU]; /* by number; ncpu of them */
extern unsigned ncpu;

/* Define a function that returns a member of this CPU's data, by one instruction. */
#define CPU_MEMBER(name, type, part) \
	static inline type name(void) \
	{ \
		type v; \
		__asm__ volatile("movl %%gs:%c1, %0" : "=r"(v) : "i"(offsetof(struct cpu, part))); \
		return v; \
	}

CPU_MEMBER(cpu_self, struct cpu *, self)
CPU_MEMBER(cpu_id, unsigned, id)
CPU_MEMBER(proc_self, struct proc *, proc)
#undef CPU_MEMBER

void cpu_init(unsigned id);	  /* segments and tasks: cpu_self() works from here on */
extern const size_t cpu_size; /* bytes, zeros, that all but the first have in cpus[] before that */
void cpu_protect(void);	  /* SMEP, SMAP, UMIP; floating point at its first use */
#define CPU_NAME 49
void cpu_name(char name[CPU_NAME]); /* what it calls itself, or its vendor if it does not */
void double_fault(void);  /* called by isr.asm */
