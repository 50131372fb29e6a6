/* Address spaces, as the memory files and the program loader share them. */
#ifndef KERNEL_VM_H
#define KERNEL_VM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define USER_TOP 0xBFFFF000u /* user addresses are below; the stack starts here */

struct vm;

void *vm_page(struct vm *vm, uint32_t va, size_t n);
int vm_stack(struct vm *vm);
int vm_poke(struct vm *vm, uint32_t va, uint32_t word);

/* Have an absent entry refer to a new, empty table, with those bits. False: no memory. */
bool table_make(uint64_t *entry, uint32_t bits);

/* kvm.c: the kernel's own gigabyte */
uint64_t pte_nx(void);	     /* the NX bit, or 0 on a processor without it */
uint64_t kernel_pdpte(void); /* the entry that every address space shares */
uint32_t kernel_cr3(void);

#endif
