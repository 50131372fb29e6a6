/*
 * Page tables of user address spaces, and the pages that are in them. The caller holds the lock of
 * the address space, or is the only one that uses it.
 */
#pragma once

#include "kernel/machine/paging.h"
#include "kernel/machine/string.h"
#include "kernel/memory/vm.h"
#include "kernel/memory/space.h"

/*
 * Return whether the entry refers to a table. If it does not and create is set, it is made to refer
 * to a new, empty one, with these bits: false if out of memory.
 */
bool table_there(uint64_t *entry, uint32_t bits, enum payer payer, bool create);
/* Look up the page table for va, unless it is absent and not to be made: then false. */
bool table_find(struct vm *vm, uint32_t va, bool create);
/* Free all of them, which have no pages any more. */
void tables_free(struct vm *vm);
/* Free the pages of [start, end), which no processor can reach. */
void tables_sweep(struct vm *vm, uint32_t start, uint32_t end);

/* Return the page table entry for va, or NULL; create makes the tables on the way. */
static inline uint64_t *pte_of(struct vm *vm, uint32_t va, bool create)
{
	if (va / BIGPAGE != vm->near && !table_find(vm, va, create))
		return NULL;
	return &vm->near_table[va / PAGE & 511];
}

_Static_assert(VM_W == PTE_W, "pte_make() takes one for the other");
static inline uint64_t pte_make(uint32_t pa, uint32_t prot)
{
	return pa | PTE_P | PTE_U | (prot & VM_W) | (prot & VM_X ? 0 : pte_nx);
}

/*
 * Return the entries for the *n pages from va on that lie in one table and before end, or
 * NULL when that table is absent.
 */
static inline uint64_t *pte_run(struct vm *vm, uint32_t va, uint32_t end, unsigned *n)
{
	uint32_t stop = (va | (BIGPAGE - 1)) + 1;

	*n = (min_size(stop, end) - va) / PAGE;
	return pte_of(vm, va, false);
}

/* Make all tables for [start, end). Those made before it fails stay, for vm_free(). */
static inline bool tables_make(struct vm *vm, uint32_t start, uint32_t end)
{
	for (uint32_t va = start & ~(BIGPAGE - 1); va < end; va += BIGPAGE)
		if (!pte_of(vm, va, true))
			return false;
	return true;
}

/* Make those of a region, but for what its pages are not promised for. */
static inline bool tables_of(struct vm *vm, const struct region *r)
{
	return tables_make(vm, r->prot & VM_W ? r->promised : r->start, r->end);
}
