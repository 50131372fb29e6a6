/* An x86-64 PC with two processors, as far as prof/ has to know it. */
#ifndef PORT_MACHINE_H
#define PORT_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#define STACK 16384
#define HZ 10000 /* ticks a second on each CPU */
#define CPUS 2
#ifndef ROUNDS
#define ROUNDS 1000
#endif

/* What belongs to one CPU: %gs points there, and config.h has the offset of entry. */
struct cpu {
	uint64_t id;
	struct prof_entry *entry;
};

/* What clock_entry pushes, below what the processor did. */
struct clock_frame {
	uint64_t r15, r14, r13, r12, r11, r10, r9, r8, rdi, rsi, rbp, rbx, rdx, rcx, rax;
	uint64_t rip, cs, rflags, rsp, ss;
};

/* Return whether a program was interrupted. */
static inline bool frame_user(const struct clock_frame *f)
{
	return f->cs & 3;
}

static inline uintptr_t frame_pc(const struct clock_frame *f)
{
	return f->rip;
}

static inline uintptr_t frame_fp(const struct clock_frame *f)
{
	return f->rbp;
}

static inline uintptr_t frame_sp(const struct clock_frame *f)
{
	return f->rsp;
}

/* The link register; 0 on a machine that has none. */
static inline uintptr_t frame_link(const struct clock_frame *f)
{
	(void)f;
	return 0;
}

#endif
