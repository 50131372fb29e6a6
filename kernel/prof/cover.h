/* Coverage: programs run step by step, and each instruction is counted in their module. */
#ifndef KERNEL_PROF_COVER_H
#define KERNEL_PROF_COVER_H

struct proc;
struct trapframe;

/* p, which goes to user mode by tf for the first time, is covered: its next instruction is seen. */
void cover_arm(struct proc *p, struct trapframe *tf);

#endif
