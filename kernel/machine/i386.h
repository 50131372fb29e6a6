/*
 * The machine's vocabulary: registers, descriptors, the trap frame, port I/O.
 * References are to the Intel SDM, volume 3A, unless another is named.
 */
#ifndef KERNEL_I386_H
#define KERNEL_I386_H

/* Segment selectors (cpu.c fills the table). */
#define SEL_KCODE 0x08
#define SEL_KDATA 0x10
#define SEL_UCODE 0x1b
#define SEL_UDATA 0x23
#define SEL_CPU 0x28 /* base: this CPU's struct cpu; in %gs while in the kernel */
#define SEL_TSS 0x30
#define SEL_DFTSS 0x38 /* the double fault's own task */

#define KERNBASE 0xC0000000u /* physical 0 is mapped here; user space ends here */
#define KERNMAP_END 0xF8000000u /* of the map of physical memory that begins at KERNBASE */
#define PAGE 4096u
#define BIGPAGE 0x200000u

/* Vectors. A vector's upper four bits are its priority in the local APIC. */
#define VEC_DB 1
#define VEC_NMI 2
#define VEC_NM 7
#define VEC_DF 8
#define VEC_PF 14
#define VEC_IRQ 0x30 /* device interrupt n is vector VEC_IRQ + n, n < NIRQ */
#define NIRQ 24
#define VEC_CLOCK 0x50 /* the system clock when the local APIC is its source */
#define VEC_TICK 0x51  /* the system clock, passed on by CPU 0 */
#define VEC_SYSCALL 0x80
#define VEC_RESCHED 0xe0
#define VEC_CALL 0xe1
#define VEC_FLUSH 0xe2
#define VEC_PROF 0xf0 /* the profiling clock in vector mode: the highest priority */
#define VEC_SPURIOUS 0xff

/* CR0, CR4, EFLAGS (section 2.5, 2.3). */
#define CR0_MP 0x00000002u
#define CR0_EM 0x00000004u
#define CR0_TS 0x00000008u
#define CR0_NE 0x00000020u
#define CR0_WP 0x00010000u
#define CR4_PGE 0x00000080u
#define CR4_OSFXSR 0x00000200u
#define CR4_OSXMMEXCPT 0x00000400u
#define CR4_UMIP 0x00000800u
#define CR4_SMEP 0x00100000u
#define CR4_SMAP 0x00200000u
#define EFL_TF 0x00000100u
#define EFL_IF 0x00000200u

/* Page table entries, PAE (section 4.4). */
#define PTE_P 0x001ull
#define PTE_W 0x002ull
#define PTE_U 0x004ull
#define PTE_PS 0x080ull
#define PTE_G 0x100ull
#define PTE_COW 0x200ull /* ours: shared until written */
#define PTE_ADDR 0x000ffffffffff000ull

/* Page fault error code (section 4.7). */
#define PF_PRESENT 1u
#define PF_WRITE 2u
#define PF_USER 4u
#define PF_FETCH 16u

#ifndef __ASSEMBLER__
#include <stddef.h>
#include "kernel/machine/lib.h"

/*
 * What isr.asm leaves on the kernel stack; esp and ss only when tf_user() is true.
 * %fs is the program's: the kernel leaves it alone, and switch_to() changes it.
 */
struct trapframe {
	uint32_t gs, es, ds;
	uint32_t edi, esi, ebp, oesp, ebx, edx, ecx, eax;
	uint32_t vector, error;
	uint32_t eip, cs, eflags, esp, ss;
};

/* Whether the trap came from user mode. */
static inline bool tf_user(const struct trapframe *tf)
{
	return tf->cs & 3;
}

/* Where a table of descriptors is, as lgdt and lidt take it: section 3.5.1. */
struct pseudo_descriptor {
	uint16_t limit; /* the table's bytes less 1 */
	uint32_t base;
} __attribute__((packed));

/* Define inb() and outb(), inw() and outw(), inl() and outl(): SDM volume 2, "IN", "OUT". */
#define PORT_IO(size, type) \
	static inline type in##size(uint16_t port) \
	{ \
		type v; \
		__asm__ volatile("in" #size " %1, %0" : "=a"(v) : "Nd"(port)); \
		return v; \
	} \
	static inline void out##size(uint16_t port, type v) \
	{ \
		__asm__ volatile("out" #size " %0, %1" : : "a"(v), "Nd"(port)); \
	}

PORT_IO(b, uint8_t)
PORT_IO(w, uint16_t)
PORT_IO(l, uint32_t)
#undef PORT_IO

static inline uint64_t rdtsc(void)
{
	uint64_t v;

	__asm__ volatile("rdtsc" : "=A"(v));
	return v;
}

static inline uint64_t rdmsr(uint32_t msr)
{
	uint64_t v;

	__asm__ volatile("rdmsr" : "=A"(v) : "c"(msr));
	return v;
}

static inline void wrmsr(uint32_t msr, uint64_t v)
{
	__asm__ volatile("wrmsr" : : "c"(msr), "A"(v));
}

struct cpuid {
	uint32_t eax, ebx, ecx, edx;
};

/* CPUID leaf; all zero when the leaf is past the highest one. */
static inline struct cpuid cpuid(uint32_t leaf)
{
	struct cpuid r;

	__asm__ volatile("cpuid" : "=a"(r.eax), "=b"(r.ebx), "=c"(r.ecx), "=d"(r.edx)
			 : "a"(leaf & 0xc0000000u), "c"(0));
	if (r.eax < leaf)
		return (struct cpuid){0};
	__asm__ volatile("cpuid" : "=a"(r.eax), "=b"(r.ebx), "=c"(r.ecx), "=d"(r.edx)
			 : "a"(leaf), "c"(0));
	return r;
}

/* Define read_cr0() and write_cr0(), and so on: SDM volume 3, "Control registers". */
#define CONTROL_REGISTER(n) \
	static inline uint32_t read_cr##n(void) \
	{ \
		uint32_t v; \
		__asm__ volatile("movl %%cr" #n ", %0" : "=r"(v)); \
		return v; \
	} \
	static inline void write_cr##n(uint32_t v) \
	{ \
		__asm__ volatile("movl %0, %%cr" #n : : "r"(v) : "memory"); \
	}

CONTROL_REGISTER(0)
CONTROL_REGISTER(2)
CONTROL_REGISTER(3)
CONTROL_REGISTER(4)
#undef CONTROL_REGISTER

static inline void invlpg(uintptr_t va)
{
	__asm__ volatile("invlpg (%0)" : : "r"(va) : "memory");
}

static inline uint32_t read_eflags(void)
{
	uint32_t v;

	__asm__ volatile("pushfl; popl %0" : "=r"(v));
	return v;
}

/* Define a function of one line of assembly that takes nothing and returns nothing. */
#define INSTRUCTION(name, code) \
	static inline void name(void) \
	{ \
		__asm__ volatile(code : : : "memory"); \
	}

INSTRUCTION(irq_on, "sti")
INSTRUCTION(irq_off, "cli")
INSTRUCTION(cpu_relax, "pause")
INSTRUCTION(cpu_halt, "sti; hlt") /* sleep until an interrupt: they are off before, and on after */
#undef INSTRUCTION

/* Turn interrupts off; the return value goes to irq_restore(). */
static inline uint32_t irq_save(void)
{
	uint32_t flags = read_eflags();

	irq_off();
	return flags;
}

static inline void irq_restore(uint32_t flags)
{
	if (__builtin_expect(flags & EFL_IF, EFL_IF))
		irq_on();
}

/* Between kernel virtual and physical addresses of the direct map. */
static inline uint32_t v2p(const void *va)
{
	return (uint32_t)(uintptr_t)va - KERNBASE;
}

static inline void *p2v(uint32_t pa)
{
	return (void *)(uintptr_t)(pa + KERNBASE);
}
#endif
#endif
