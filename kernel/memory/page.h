/* The pages of an address space. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct vm;

void *page_load(struct vm *vm, uint32_t va, size_t n);
int page_resolve(struct vm *vm, uint32_t va, uint32_t error); /* 0, -EFAULT, -ENOMEM */
int page_poke(struct vm *vm, uint32_t va, uint32_t word);
