/* The pages of an address space. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct vm;

void *vm_page(struct vm *vm, uint32_t va, size_t n);
int vm_fault(struct vm *vm, uint32_t va, uint32_t error); /* 0, -EFAULT, -ENOMEM */
int vm_poke(struct vm *vm, uint32_t va, uint32_t word);
