/* Address spaces, as the memory files and the program loader share them. */
#ifndef KERNEL_VM_H
#define KERNEL_VM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
