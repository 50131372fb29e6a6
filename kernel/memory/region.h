/* The regions of an address space: what may be touched, and how. */
#pragma once

#include <stdint.h>

struct vm;

#define USER_TOP 0xBFFFF000u /* user addresses are below; the stack starts here */

#define VM_R 4
#define VM_W 2
#define VM_X 1
int vm_map(struct vm *vm, uint32_t start, uint32_t end, int prot); /* zeros on first touch */
int vm_stack(struct vm *vm); /* the same, for the stack: below USER_TOP */
int vm_brk(struct vm *vm, uint32_t addr, uint32_t *now);
int vm_setbrk(struct vm *vm, uint32_t start);
