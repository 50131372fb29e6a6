/* Which process counts as which module of prof(3). All but the last two need prof_lock held. */
#pragma once

#include "prof/prof.h"

/*
 * Count in all wanted modules that run now or later, of the kinds that the MODULES_ bits name.
 * For coverage, a pid other than 0 means only that process and the children that it will have.
 * Return 0; -EBUSY if something is being counted already; -ESRCH if there is no such process;
 * -ENOMEM, and then nothing is counted. A module that finds no room is left out, though.
 * The kernel is covered by the entries of its functions.
 */
#define MODULES_KERNEL 1u
#define MODULES_PROGRAMS 2u
#define MODULES_PATHS 4u /* of memory: the paths of calls, too */
int modules_start(enum prof_module_kind kind, unsigned which, int pid);
void modules_stop(void); /* and keep the counts */
void modules_end(void);	 /* once stopped, forget everything, with the list of wanted ones */

/* cover.c: cover the new process p from the instruction on with which it begins. */
struct proc;
void cover_arm(struct proc *p);

/*
 * While the kernel's entries are counted, its module has one count for so many bytes: no two pads
 * that are switched begin in the same, and an eighth as much is to be cleared.
 */
#define MODULE_ENTRY 8u

/* Count a kernel function's entry; pc is what its call of mcount.asm pushed. In any context. */
void module_entered(uint32_t pc);
