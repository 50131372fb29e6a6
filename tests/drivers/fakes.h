/* The kernel as drivers see it in hosted tests: what they asked of it can be looked at. */
#ifndef TESTS_DRIVERS_FAKES_H
#define TESTS_DRIVERS_FAKES_H

#include <cmocka.h>
#include "kernel/clock.h"
#include "kernel/memory.h"
#include "kernel/print.h"
#include "kernel/proc.h"
#include "kernel/trap.h"

extern trap_fn *fake_trap[256];	  /* by trap_set */
extern void (*fake_irq[NIRQ])(void *arg); /* by irq_register, and its argument */
extern void *fake_irq_arg[NIRQ];
extern unsigned fake_wakes;	  /* calls of wait_wake */

#endif
