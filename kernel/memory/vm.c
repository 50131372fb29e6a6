/*
 * User address spaces as a whole: how they are made, shared, copied and freed. Each has its own
 * page directory pointer table, whose last entry is the kernel's gigabyte and the same in all
 * (SDM 3A, section 4.4). What is mapped is in region.c, and how pages come into it in page.c.
 *
 * Whoever makes or copies an address space is promised a frame for each page that may be
 * written, and gets all its page tables at once: so no program ends later for want of memory,
 * unless its stack grows past the part that was promised.
 */
#include "kernel/memory/vm.h"
#include "kernel/machine/smp.h"
#include "kernel/memory/heap.h"
#include "kernel/memory/table.h"
#include "kernel/prof/hooks.h"

_Static_assert(offsetof(struct vm, pdpt) == 0, "vm_use() loads the address of vm itself");
_Static_assert(offsetof(struct vm, region) > 48, "the heap's larger sizes are multiples of 32");

/* Return a new, empty address space with room for `room` regions; NULL when out of memory. */
struct vm *vm_new(unsigned room)
{
	struct vm *vm = kmalloc(sizeof(*vm) + room * sizeof(*vm->region));

	if (vm)
		*vm = (struct vm){
			.pdpt[3] = v2p(kernel_pd) | PTE_P, .lock.name = "vm", .ref = 1,
			.near = UINT32_MAX, .near_region = vm->region,
			.payer = payer_self(), .room = room,
		};
	return vm;
}

struct vm *vm_ref(struct vm *vm)
{
	__atomic_add_fetch(&vm->ref, 1, __ATOMIC_RELAXED);
	return vm;
}

/* Every table is all zeros again when it is freed. */
static void vm_free(struct vm *vm)
{
	const struct region *end = &vm->region[vm->nregion];

	hook_vm_free(vm);
	for (struct region *r = vm->region; r < end; r++)
		tables_sweep(vm, r->low, r->high);
	tables_free(vm);
	frame_unpromise(vm->payer, vm->promised);
	kfree(vm);
}

/*
 * Have the account pay for what is promised to the calling process, unless that shares its memory.
 * False if that is more than the account may have.
 */
bool vm_charge(struct vm *vm, enum payer payer)
{
	if (vm->ref > 1)
		return true;
	if (!account_move(vm->payer, payer, ACCOUNT_PAGES, vm->promised))
		return false;
	vm->payer = payer;
	return true;
}

/* Drop a reference; the last one frees vm, which no CPU uses any more. NULL does nothing. */
void vm_put(struct vm *vm)
{
	if (vm && __atomic_sub_fetch(&vm->ref, 1, __ATOMIC_ACQ_REL) == 0)
		vm_free(vm);
}

/* Share the pages of n entries with the child, writable ones until they are written. */
static void vm_share(struct vm *child, uint64_t *pte, uint64_t *copy, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		if (!(pte[i] & PTE_P))
			continue;
		if (pte[i] & PTE_W)
			pte[i] = (pte[i] & ~PTE_W) | PTE_COW;
		frame_share((uint32_t)(pte[i] & PTE_ADDR));
		copy[i] = pte[i];
		child->resident++;
	}
}

/*
 * Share the region's present pages, and make the tables of all others that may be touched; false
 * when out of memory.
 */
static bool vm_share_region(struct vm *vm, struct vm *child, const struct region *r)
{
	unsigned n;

	if (!tables_of(child, r))
		return false;
	for (uint32_t va = r->low; va < r->high; va += n * PAGE) {
		uint64_t *pte = pte_run(vm, va, r->high, &n);
		vm_share(child, pte, pte_of(child, va, false), n);
	}
	return true;
}

/* Copy the regions to the child, to which as much is promised; false when out of memory. */
static bool vm_copy(struct vm *vm, struct vm *child)
{
	if (!region_promise(child, vm->promised))
		return false;
	memcpy(child->region, vm->region, vm->nregion * sizeof(*vm->region));
	child->nregion = vm->nregion;
	for (unsigned i = 0; i < vm->nregion; i++)
		if (!vm_share_region(vm, child, &vm->region[i]))
			return false;
	return true;
}

/* Return a copy that shares every page until one side writes it; NULL when out of memory. */
struct vm *vm_fork(struct vm *vm)
{
	struct vm *child = vm_new(vm->nregion);

	if (!child)
		return NULL;
	spin_lock(&vm->lock);
	bool ok = vm_copy(vm, child);
	child->heap = vm->heap;
	child->brk = vm->brk;
	child->brk_low = vm->brk_low;
	vm_flush(vm); /* what was writable is shared: before another CPU may copy it for itself */
	spin_unlock(&vm->lock);
	if (ok)
		return child;
	vm_put(child);
	return NULL;
}

/* Return the number of pages present. */
size_t vm_resident(struct vm *vm)
{
	return vm->resident;
}
