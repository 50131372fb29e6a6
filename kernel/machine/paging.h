/* The kernel's own page tables, which every address space shares. */
#pragma once

#include "kernel/machine/cpu.h"

extern uint64_t pte_nx;		    /* the NX bit, or 0 on a processor without it */
extern uint64_t kernel_pd[512];	    /* the page directory of the gigabyte at KERNBASE */
extern uint64_t boot_pt[1024];	    /* its first 4 MB in small pages */
extern uint64_t kernel_pdpt[4];	    /* the table above when there is no address space */
extern uint64_t kernel_pdpt_low[4]; /* trampoline.asm's: the same, and memory's start at 0 */
extern uint8_t boot_stack[PAGE + KSTACK_PAGES * PAGE]; /* the lowest page is the guard */

/* Run on vm from here on, on this CPU, which is c; NULL: on the kernel's own tables. */
static inline void vm_use(struct cpu *c, struct vm *vm)
{
	if (c->vm == vm)
		return;
	check_loaded(NULL);
	__atomic_store_n(&c->vm, vm, __ATOMIC_RELEASE);
	write_cr3(vm ? v2p(vm) : v2p(kernel_pdpt));
	check_loaded(vm);
}
