/* QEMU's virt machine with one AArch64 processor, as far as prof/ has to know it. */
#ifndef PORT_MACHINE_H
#define PORT_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#define STACK 16384
#define HZ 10000 /* ticks a second on each CPU */
#define CPUS 1
#ifndef ROUNDS
#define ROUNDS 1000
#endif

/* What clock_entry saves: x0 to x30, the interrupted stack pointer and pc, and SPSR_EL1. */
struct clock_frame {
	uint64_t x[31], sp, pc, status;
};

/* Return whether a program was interrupted: at exception level 0. */
static inline bool frame_user(const struct clock_frame *f)
{
	return (f->status & 15) == 0;
}

static inline uintptr_t frame_pc(const struct clock_frame *f)
{
	return f->pc;
}

static inline uintptr_t frame_fp(const struct clock_frame *f)
{
	return f->x[29];
}

static inline uintptr_t frame_sp(const struct clock_frame *f)
{
	return f->sp;
}

/* The link register; 0 on a machine that has none. */
static inline uintptr_t frame_link(const struct clock_frame *f)
{
	return f->x[30];
}

#endif
