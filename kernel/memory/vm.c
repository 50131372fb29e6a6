/*
 * User address spaces as a whole: how they are made, shared, copied and freed, and their regions:
 * what the program loader maps, the stack, and the heap, whose end brk(2) moves. Each has its own
 * page directory pointer table, whose last entry is the kernel's gigabyte and the same in all
 * (SDM 3A, section 4.4). How pages come into regions is in page.c.
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

#define STACK_MAX (1u << 23)	/* bytes; the lowest a user stack may reach below USER_TOP */
#define STACK_PROMISED (1u << 16) /* bytes of it that can be had for sure */

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
			.payer = proc_self()->payer, .room = room,
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
	hook_vm_free(vm);
	for (struct region *r = vm->region; r < &vm->region[vm->nregion]; r++)
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

/* Share the pages of n entries with the child, writable ones until they are written; NULL: none. */
static void vm_share(struct vm *child, uint64_t *pte, uint64_t *copy, unsigned n)
{
	for (unsigned i = 0; pte && i < n; i++) {
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

/*
 * Make a region of the whole pages [start, end), which must lie in user space and in no other
 * region, in an address space that is not yet in use. Those from `promised` on can be had for sure.
 * -ENOEXEC, -ENOMEM.
 */
static int region_add(struct vm *vm, uint32_t start, uint32_t end, int prot, uint32_t promised,
		      uint32_t offset)
{
	unsigned i = 0;

	if (vm->nregion == vm->room)
		return -ENOEXEC;
	if (!in_range(start, PAGE, end + 1) || end > USER_TOP)
		return -ENOEXEC;
	while (i < vm->nregion && vm->region[i].end <= start)
		i++;
	struct region *r = &vm->region[i];
	if (i < vm->nregion && r->start < end)
		return -ENOEXEC;
	vm->near_region = r;
	memmove(r + 1, r, (vm->nregion++ - i) * sizeof(*r));
	*r = (struct region){
		.start = start, .end = end, .low = end, .high = start, .top = end,
		.promised = promised, .prot = (uint32_t)prot, .offset = offset,
	};
	if (!region_promise(vm, (end - promised) / PAGE) || !tables_of(vm, r))
		return -ENOMEM;
	return 0;
}

/* Make a region of [start, end), as region_add(). */
int vm_map(struct vm *vm, uint32_t start, uint32_t end, int prot, uint32_t offset)
{
	return region_add(vm, start, end, prot, prot & VM_W ? start : end, offset);
}

/* Make the regions that grow: the heap, empty, where the program's data end, and the stack. */
int vm_growing(struct vm *vm, uint32_t data_end)
{
	uint32_t page = (data_end + PAGE - 1) & ~(PAGE - 1);
	int err = vm_map(vm, page, page, VM_R | VM_W, VM_NOFILE);

	if (err)
		return err;
	vm->heap = (unsigned)(vm->near_region - vm->region);
	vm->brk = vm->brk_low = data_end;
	return region_add(vm, USER_TOP - STACK_MAX, USER_TOP, VM_R | VM_W,
			  USER_TOP - STACK_PROMISED, VM_NOFILE);
}

/* Free the heap's pages from end on. */
static void region_shrink(struct vm *vm, struct region *heap, uint32_t end)
{
	uint32_t n = (heap->end - end) / PAGE;

	for (uint32_t va = end; va < heap->high; va += PAGE)
		*pte_of(vm, va, false) &= ~PTE_P; /* a heap has all its tables */
	vm_flush(vm);
	tables_sweep(vm, end, heap->high);
	heap->high = min_size(heap->high, end);
	frame_unpromise(vm->payer, n);
	vm->promised -= n;
}

/* Have the heap's pages up to end promised, and their tables made. */
static bool region_grow(struct vm *vm, struct region *heap, uint32_t end)
{
	uint32_t n = (end - heap->end) / PAGE;

	if (!region_promise(vm, n))
		return false;
	if (heap->top < end)
		heap->top = end; /* vm_free() finds the tables by it */
	if (tables_make(vm, heap->end, end))
		return true;
	frame_unpromise(vm->payer, n);
	vm->promised -= n;
	return false;
}

/* Move the break to addr, unless that is 0; return where it is, or -ENOMEM. */
int32_t vm_brk(struct vm *vm, uint32_t addr)
{
	struct region *r = &vm->region[vm->heap], *next = r + 1;

	HOLD_SPIN(&vm->lock);
	if (!addr)
		return (int32_t)vm->brk;
	uint32_t limit = next < &vm->region[vm->nregion] ? next->start - PAGE : USER_TOP;
	uint32_t end = (addr + PAGE - 1) & ~(PAGE - 1);
	if (!in_range(addr, vm->brk_low, limit + 1))
		return -ENOMEM;
	if (end > r->end && !region_grow(vm, r, end))
		return -ENOMEM;
	if (end < r->end)
		region_shrink(vm, r, end);
	r->end = end;
	vm->brk = addr;
	return (int32_t)addr;
}
