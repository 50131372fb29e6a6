/* QEMU's virt machine with one 64-bit RISC-V processor, as far as prof/ has to know it. */
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

/* What clock_entry saves: the interrupted pc, x1 to x31 but for x2, the stack pointer x2. */
struct clock_frame {
	uint64_t pc, ra, sp, gp, tp, t0, t1, t2, fp, s1, a[8], s2[10], t3[4], status;
};

/* Return whether a program was interrupted: mstatus.MPP is its mode. */
static inline bool frame_user(const struct clock_frame *f)
{
	return (f->status & 0x1800) == 0;
}

static inline uintptr_t frame_pc(const struct clock_frame *f)
{
	return f->pc;
}

static inline uintptr_t frame_fp(const struct clock_frame *f)
{
	return f->fp;
}

static inline uintptr_t frame_sp(const struct clock_frame *f)
{
	return f->sp;
}

/* The link register; 0 on a machine that has none. */
static inline uintptr_t frame_link(const struct clock_frame *f)
{
	return f->ra;
}

#endif
