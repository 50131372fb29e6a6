/*
 * The regions of an address space: what the program loader maps, the stack, and the heap, whose end
 * brk(2) moves. Pages come into them in page.c.
 */
#include "kernel/memory/region.h"
#include "kernel/machine/smp.h"
#include "kernel/memory/table.h"

#define STACK_MAX (1u << 23)	/* bytes; the lowest a user stack may reach below USER_TOP */
#define STACK_PROMISED (1u << 16) /* bytes of it that can be had for sure */

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
