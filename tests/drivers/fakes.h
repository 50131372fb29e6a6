/* The kernel as drivers see it in hosted tests, with a record of what they asked for. */
#ifndef TESTS_DRIVERS_FAKES_H
#define TESTS_DRIVERS_FAKES_H

#include "tests/test.h"
#include "kernel/machine/lib.h"
#include "kernel/sched/clock.h"
#include "kernel/machine/time.h"
#include "kernel/memory/heap.h"
#include "kernel/memory/kvm.h"
#include "kernel/machine/panic.h"
#include "kernel/machine/print.h"
#include "kernel/process/proc.h"
#include "kernel/machine/trap.h"

extern trap_fn *fake_trap[256];		  /* what trap_set() was given */
extern void (*fake_irq[NIRQ])(void *arg); /* what irq_register() was given, and its argument */
extern void *fake_irq_arg[NIRQ];
extern unsigned fake_wakes;		  /* calls of wait_wake() */

#endif
