/* Coverage: programs run step by step, and each instruction is counted in their module. */
#ifndef KERNEL_PROF_COVER_H
#define KERNEL_PROF_COVER_H

#include <stdbool.h>
#include <stdint.h>

struct proc;
struct trapframe;

/* The end of a trap frame: where iret returns to. */
struct iretframe {
	uint32_t eip, cs, eflags;
};

/* p, which goes to user mode by tf for the first time, is covered: its next instruction is seen. */
void cover_arm(struct proc *p, struct trapframe *tf);

/* The calling process is covered; if it came by a system call, that instruction is counted. */
void cover_call(struct proc *p);

/* The same, and it goes back to user mode. */
void cover_return(struct proc *p);

/*
 * A debug trap from user mode: whether it was a step, which is then counted, and the next one
 * prepared. False: nobody asked for it. From isr.asm, with not all registers saved.
 */
bool cover_step(struct iretframe *to);

#endif
