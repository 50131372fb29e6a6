/* The kernel as drivers see it in hosted tests, with a record of what they asked for. */
#ifndef TESTS_DRIVERS_FAKES_H
#define TESTS_DRIVERS_FAKES_H

#include <cmocka.h>
#include "kernel/clock.h"
#include "kernel/memory.h"
#include "kernel/print.h"
#include "kernel/proc.h"
#include "kernel/trap.h"

extern trap_fn *fake_trap[256];		  /* what trap_set() was given */
extern void (*fake_irq[NIRQ])(void *arg); /* what irq_register() was given, and its argument */
extern void *fake_irq_arg[NIRQ];
extern unsigned fake_wakes;		  /* calls of wait_wake() */

#endif
