/* A PC with one processor in 32-bit mode, as far as prof/ has to know it. */
#ifndef PORT_MACHINE_H
#define PORT_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#define STACK 16384
#define HZ 10000 /* ticks a second on each CPU */
#define CPUS 1
#define ROUNDS 1000

/* What clock_entry pushes, below what the processor did: of a program also its stack pointer. */
struct clock_frame {
	uint32_t edi, esi, ebp, esp, ebx, edx, ecx, eax;
	uint32_t eip, cs, eflags;
	uint32_t interrupted[];
};

/* Return whether a program was interrupted. */
static inline bool frame_user(const struct clock_frame *f)
{
	return f->cs & 3;
}

static inline uintptr_t frame_pc(const struct clock_frame *f)
{
	return f->eip;
}

static inline uintptr_t frame_fp(const struct clock_frame *f)
{
	return f->ebp;
}

static inline uintptr_t frame_sp(const struct clock_frame *f)
{
	return frame_user(f) ? f->interrupted[0] : (uintptr_t)f->interrupted;
}

/* The link register; 0 on a machine that has none. */
static inline uintptr_t frame_link(const struct clock_frame *f)
{
	(void)f;
	return 0;
}

#endif
