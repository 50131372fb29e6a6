/* Which process counts as which module of prof(3). The caller holds prof_lock, but of the last. */
#ifndef KERNEL_MODULE_H
#define KERNEL_MODULE_H

#include "prof/prof.h"

/*
 * Count in all wanted modules that run, and in those that will. -EBUSY when some kind of
 * counting is on already; -ENOMEM, then none is. For coverage, a pid other than 0 means
 * that process alone, with the children that it will have, -ESRCH; and the kernel must not
 * be on the list, -EOPNOTSUPP.
 */
int modules_start(enum module_kind kind, int pid);
void modules_stop(void); /* and keep the counts */
void modules_end(void);	 /* and forget everything, the list of those wanted too */

/* The calling process has begun a program: it counts from its first instruction on. */
void module_join(void);

#endif
