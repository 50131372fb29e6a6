/* Coverage: programs run step by step, and each instruction is counted in their module. */
#ifndef KERNEL_PROF_COVER_H
#define KERNEL_PROF_COVER_H

struct proc;
struct trapframe;

/* The new process p is covered, from the instruction on to which tf returns. */
void cover_arm(struct proc *p, struct trapframe *tf);

#endif
