/* Who has memory: what prof/ is told of it. */
#ifndef KERNEL_PROF_MEMPROF_H
#define KERNEL_PROF_MEMPROF_H

#include "kernel/lock.h"

struct prof_module;
struct vm;

/* Held by who changes or reads the table of blocks, and what modules know of memory. */
extern struct spinlock memprof_lock;

/*
 * Programs and, unless NULL, the kernel's own module are counted from now on. -ENOMEM. The
 * caller of this and the next holds prof_lock.
 */
int memprof_begin(struct prof_module *kernel);
void memprof_end(void); /* on return, nobody counts */

void memprof_ask(struct vm *vm, bool on); /* the C library of that program is to tell */

#endif
