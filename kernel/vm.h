/* Address spaces, as the memory files and the program loader share them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "kernel/cpu.h"

#define USER_TOP 0xBFFFF000u /* user addresses are below; the stack starts here */

struct vm;

void *vm_page(struct vm *vm, uint32_t va, size_t n);
int vm_poke(struct vm *vm, uint32_t va, uint32_t word);

struct account;

/* Make an absent entry refer to a new, empty table, with these bits. False if out of memory. */
bool table_make(uint64_t *entry, uint32_t bits, struct account *payer);

/* kvm.c: the kernel's own gigabyte */
extern uint64_t pte_nx;	       /* the NX bit, or 0 on a processor without it */
extern uint64_t kernel_pd[];   /* the page directory that every address space shares */
extern uint64_t kernel_pdpt[]; /* the table above it when there is no address space */

/* Run on vm from here on; NULL: on the kernel's own tables. */
static inline void vm_use(struct vm *vm)
{
	struct cpu *c = cpu_self();

	if (c->vm == vm)
		return;
	__atomic_store_n(&c->vm, vm, __ATOMIC_RELEASE);
	write_cr3(vm ? v2p(vm) : v2p(kernel_pdpt));
}
