/*
 * Included before everything else in hosted tests of the kernel: the host's headers that share
 * names with the kernel's, then the kernel's, then the calling process.
 */
#ifndef TESTS_KERNEL_HOST_H
#define TESTS_KERNEL_HOST_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/fakes.h"

#define ssize_t kernel_ssize_t
#define timespec kernel_timespec
#include "kernel/abi/errno.h"
#include "kernel/abi/signal.h"
#include "kernel/machine/cpu.h"
#include "kernel/machine/lib.h"
#include "kernel/machine/print.h"
#include "kernel/machine/time.h"
#include "kernel/memory/frame.h"
#include "kernel/memory/heap.h"
#include "kernel/sched/sched.h"

extern struct proc *fake_self;
#define proc_self() fake_self
#include "kernel/process/proc.h" /* which asks for the calling process */

int fake_give_way(void);
#define give_way() fake_give_way()

#endif
