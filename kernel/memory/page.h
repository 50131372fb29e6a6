/* The pages of an address space. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct vm;

void *page_load(struct vm *vm, uint32_t va, size_t n);
/* Return which right a page fault's error code says was needed: VM_W, VM_X or VM_R. */
uint32_t page_access(uint32_t error);
int page_resolve(struct vm *vm, uint32_t va, uint32_t error); /* 0, -EFAULT, -ENOMEM */
int page_poke(struct vm *vm, uint32_t va, uint32_t word);
