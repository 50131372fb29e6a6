/* The kernel as drivers see it in hosted tests: what they asked of it can be looked at. */
#ifndef TESTS_DRIVERS_FAKES_H
#define TESTS_DRIVERS_FAKES_H

#include "kernel/clock.h"
#include "kernel/memory.h"
#include "kernel/print.h"
#include "kernel/proc.h"
#include "kernel/trap.h"

extern char fake_log[4096];	  /* what printk printed */
extern trap_fn *fake_trap[256];	  /* by trap_set */
extern void (*fake_irq[NIRQ])(void *arg); /* by irq_register, and its argument */
extern void *fake_irq_arg[NIRQ];
extern unsigned fake_locks;	  /* held now */
extern unsigned fake_wakes;	  /* calls of wait_wake */
extern int (*fake_wait)(void);	  /* what happens while somebody sleeps: wait_on's answer */

extern unsigned fake_mutexes;	  /* held now */

/* Whether printk printed s since the last call. */
bool fake_logged(const char *s);

#endif
