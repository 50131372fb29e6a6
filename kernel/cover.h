/* Coverage: programs run step by step, and each instruction is counted in their module. */
#ifndef KERNEL_COVER_H
#define KERNEL_COVER_H

#include <stdbool.h>

struct proc;
struct trapframe;

/* p, which goes to user mode by tf for the first time, is covered: its next instruction is seen. */
void cover_arm(struct proc *p, struct trapframe *tf);

/* The calling process is covered; if it came by a system call, that instruction is counted. */
void cover_call(struct proc *p);

/* The same, and it goes back to user mode. */
void cover_return(struct proc *p);

/* A debug trap from user mode: whether it was a step, which is then counted. */
bool cover_step(struct trapframe *tf);

#endif
