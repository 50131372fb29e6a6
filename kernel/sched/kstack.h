/* Kernel stacks, each with a guard page under it. */
#pragma once

#include "kernel/memory/account.h"

/* A stack's lowest usable byte, with a guard page below it; NULL if the account may not have it. */
void *kstack_alloc(enum payer payer);
void kstack_free(void *stack, enum payer payer);
/* Return the lowest usable byte of the stack that has the address, or NULL. From NMI, too. */
void *kstack_of(uintptr_t address);
