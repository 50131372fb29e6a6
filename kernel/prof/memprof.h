/* Memory profiling: when blocks are counted. */
#pragma once

#include "kernel/sched/mutex.h"

/* Guards the table of blocks, and what modules know of memory. */
extern struct spinlock memprof_lock;

/*
 * Count blocks of programs and, unless `kernel` is NULL, of the kernel's own module, with the paths
 * of calls to them if that is wanted. Return 0 or -ENOMEM. The caller of this function and the next
 * holds prof_lock.
 */
int memprof_begin(struct prof_module *kernel, bool with_paths);
/* Count programs from now on, or do not: nothing is being counted on return; and the heap alike. */
void memprof_count(bool programs, struct prof_module *kernel);

/* If memory is what modules count, have that program's C library report, or not. */
void memprof_ask(struct vm *vm, bool on);
