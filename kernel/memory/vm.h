/* Address spaces. What a struct vm holds only the files of this folder know, by space.h. */
#pragma once

#include <stddef.h>
#include "kernel/memory/account.h"

struct vm;

struct vm *vm_new(unsigned room); /* with room for `room` regions; NULL if out of memory */
struct vm *vm_ref(struct vm *vm);
void vm_put(struct vm *vm);
bool vm_charge(struct vm *vm, enum payer payer);
struct vm *vm_fork(struct vm *vm); /* copy on write; NULL if out of memory */
size_t vm_resident(struct vm *vm); /* pages */
