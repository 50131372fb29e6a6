/* Which process counts as which module of prof(3). All but the last need prof_lock held. */
#ifndef KERNEL_PROF_MODULE_H
#define KERNEL_PROF_MODULE_H

#include "prof/prof.h"

/*
 * Count in all wanted modules that run now or later, of the kinds that the MODULES_ bits name.
 * -EBUSY when something is being counted already; after -ENOMEM nothing is. For coverage, a
 * pid other than 0 means that process alone, with the children that it will have: -ESRCH.
 * The kernel is covered by the entries of its functions.
 */
#define MODULES_KERNEL 1u
#define MODULES_PROGRAMS 2u
int modules_start(enum module_kind kind, unsigned which, int pid);
void modules_stop(void); /* and keep the counts */
void modules_end(void);	 /* and forget everything, the list of those wanted too */

/* cover.c: the new process p is covered, from the instruction on to which tf returns. */
struct proc;
struct trapframe;
void cover_arm(struct proc *p, struct trapframe *tf);

/* The entry of a kernel function whose call, by mcount.asm, has pushed pc. In any context. */
void module_entered(uint32_t pc);

#endif
