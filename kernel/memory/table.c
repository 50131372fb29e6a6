/* See table.h. All tables are zeros when they are made, and again when they are freed. */
#include "kernel/memory/table.h"
#include "kernel/machine/smp.h"

bool table_there(uint64_t *entry, uint32_t bits, enum payer payer, bool create)
{
	if (*entry & PTE_P)
		return true;
	void *table = NULL;
	if (create)
		table = frame_alloc_zeroed(payer);
	if (table)
		*entry = v2p(table) | bits;
	return table;
}

/* Return the entry for va's page table, in a directory that is made if create is set; or NULL. */
static uint64_t *pde_of(struct vm *vm, uint32_t va, bool create)
{
	uint64_t *slot = &vm->pdpt[va >> 30];

	if (!(*slot & PTE_P)) {
		if (!table_there(slot, PTE_P, vm->payer, create))
			return NULL;
		if (read_cr3() == v2p(vm->pdpt))
			vm_flush(vm); /* processors have copies of the four entries */
		check_views(vm);
	}
	return (uint64_t *)p2v((uint32_t)(*slot & PTE_ADDR)) + (va / BIGPAGE & 511);
}

/* Look up the page table for va, unless it is absent and not to be made: then false. */
bool table_find(struct vm *vm, uint32_t va, bool create)
{
	uint64_t *pde = pde_of(vm, va, create);

	if (!pde || !table_there(pde, PTE_P | PTE_W | PTE_U, vm->payer, create))
		return false;
	vm->near = va / BIGPAGE;
	vm->near_table = p2v((uint32_t)(*pde & PTE_ADDR));
	return true;
}

/* Free the pages of [start, end), which no processor can reach. */
void tables_sweep(struct vm *vm, uint32_t start, uint32_t end)
{
	unsigned n;

	for (uint32_t va = start; va < end; va += n * PAGE) {
		uint64_t *pte = pte_run(vm, va, end, &n);
		for (unsigned i = 0; pte && i < n; i++) {
			uint32_t pa = (uint32_t)(pte[i] & PTE_ADDR);
			if (!pa)
				continue;
			if (!frame_unref(pa))
				frame_free(p2v(pa));
			pte[i] = 0;
			vm->resident--;
		}
	}
}

/* Free the page tables that cover [start, end). */
static void tables_free_part(struct vm *vm, uint32_t start, uint32_t end)
{
	for (uint32_t va = start & ~(BIGPAGE - 1); va < end; va += BIGPAGE) {
		uint64_t *pde = pde_of(vm, va, false);
		if (pde && *pde & PTE_P) {
			frame_free_zeroed(p2v((uint32_t)(*pde & PTE_ADDR)));
			*pde = 0;
		}
	}
}

/* Free all tables. */
void tables_free(struct vm *vm)
{
	for (struct region *r = vm->region; r < &vm->region[vm->nregion]; r++)
		tables_free_part(vm, r->start, r->top);
	for (int i = 0; i < 3; i++)
		if (vm->pdpt[i] & PTE_P)
			frame_free_zeroed(p2v((uint32_t)(vm->pdpt[i] & PTE_ADDR)));
}
