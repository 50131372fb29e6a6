/*
 * Address spaces, and their regions: what may be touched, and how. What a struct vm holds only the
 * files of this folder know, by space.h.
 */
#pragma once

#include <stddef.h>
#include "kernel/memory/account.h"

struct vm;

#define USER_TOP 0xBFFFF000u /* user addresses are below; the stack starts here */

#define VM_R 4
#define VM_W 2
#define VM_X 1
#define VM_NOFILE 1u /* an offset that is no page's */

struct vm *vm_new(unsigned room); /* with room for `room` regions; NULL if out of memory */
struct vm *vm_ref(struct vm *vm);
void vm_put(struct vm *vm);
bool vm_charge(struct vm *vm, enum payer payer);
struct vm *vm_fork(struct vm *vm); /* copy on write; NULL if out of memory */
size_t vm_resident(struct vm *vm); /* pages */
/*
 * Map what may not be written as the program's file has it from the offset on, which must hold it;
 * VM_NOFILE: zeros on first touch, but for what page_load() fills.
 */
int vm_map(struct vm *vm, uint32_t start, uint32_t end, int prot, uint32_t offset);
int vm_growing(struct vm *vm, uint32_t data_end); /* the heap, and the stack below USER_TOP */
int32_t vm_brk(struct vm *vm, uint32_t addr); /* no address of a user's is an error's number */
