/*
 * How pages come into an address space: the loader fills them, a fault brings in zeros or a page of
 * the program's file at the first touch, and what is written while it is shared is copied.
 */
#include "kernel/memory/page.h"
#include "kernel/file/dev.h"
#include "kernel/machine/smp.h"
#include "kernel/memory/table.h"

/* Enter a page at va, whose entry is *pte. */
static inline void page_enter(struct vm *vm, struct region *r, uint32_t va, uint64_t *pte,
			      const void *page)
{
	va &= ~(PAGE - 1);
	*pte = pte_make(v2p(page), r->prot);
	if (va < r->low)
		r->low = va;
	if (va >= r->high)
		r->high = va + PAGE;
	vm->resident++;
}

/*
 * Return a page for r at va, which may be written; its content is undefined. A stack is promised
 * what it grows by. NULL: that is more than there is.
 */
static inline uint8_t *page_promised(struct vm *vm, struct region *r, uint32_t va)
{
	uint32_t start = va & ~(PAGE - 1);

	if (start < r->promised) {
		if (!region_promise(vm, (r->promised - start) / PAGE))
			return NULL;
		r->promised = start;
	}
	return frame_alloc_promised();
}

/*
 * Return where the program loader is to write n bytes at va, all of one page, whatever its
 * protection; only the rest of a new page is zero. The address space is not yet in use. NULL when
 * va is in no region or there is no memory.
 */
void *page_load(struct vm *vm, uint32_t va, size_t n)
{
	struct region *r = region_at(vm, va);
	uint64_t *pte = r ? pte_of(vm, va, true) : NULL;
	uint32_t in = va % PAGE;

	if (!pte)
		return NULL;
	if (*pte & PTE_P)
		return (uint8_t *)p2v((uint32_t)(*pte & PTE_ADDR)) + in;
	uint8_t *page = r->prot & VM_W ? page_promised(vm, r, va) : frame_alloc_for(vm->payer, 1);
	if (!page)
		return NULL;
	memset(page, 0, in);
	memset(page + in + n, 0, PAGE - in - n);
	page_enter(vm, r, va, pte, page);
	return page + in;
}

/* Give vm its own copy of r's page that is shared until written, and is being written. */
static void page_unshare(struct vm *vm, const struct region *r, uint64_t *pte)
{
	uint32_t pa = (uint32_t)(*pte & PTE_ADDR);

	if (!frame_shared(pa)) {
		*pte = pte_make(pa, r->prot);
		return;
	}
	void *page = memcpy(frame_alloc_promised(), p2v(pa), PAGE);
	*pte = pte_make(v2p(page), r->prot);
	vm_flush_others(vm);
	if (!frame_unref(pa))
		frame_free(p2v(pa));
}

/*
 * Bring in the page at va of a region that cannot be written. The process has the file of the
 * program that is in vm, which holds its content; what is not of a file the loader has filled.
 */
static int page_of_file(struct vm *vm, struct region *r, uint32_t va, uint64_t *pte)
{
	const struct chan *file = proc_self()->program;

	if (r->offset == VM_NOFILE)
		return -EFAULT;
	const void *page = file->dev->page(file, r->offset + (va & ~(PAGE - 1)) - r->start);
	frame_share(v2p(page));
	page_enter(vm, r, va, pte, page);
	return 0;
}

inline uint32_t page_access(uint32_t error)
{
	if (error & PF_WRITE)
		return VM_W;
	if (error & PF_FETCH)
		return VM_X;
	return VM_R;
}

/* Allow the access to va that a page fault's error code describes. The caller holds the lock. */
static int page_mend(struct vm *vm, uint32_t va, uint32_t error)
{
	struct region *r = region_at(vm, va);

	if (!r || error & ~(PF_PRESENT | PF_WRITE | PF_USER | PF_FETCH))
		return -EFAULT;
	if (!(r->prot & page_access(error)))
		return -EFAULT;
	uint64_t *pte = pte_of(vm, va, true); /* only a stack's table may be missing */
	if (!pte)
		return -ENOMEM;
	uint32_t entry = (uint32_t)*pte;
	if (entry & PTE_P) {
		if (error & PF_WRITE && entry & PTE_COW)
			page_unshare(vm, r, pte);
		invlpg(va);
		return 0;
	}
	if (!(r->prot & VM_W))
		return page_of_file(vm, r, va, pte);
	uint8_t *page = page_promised(vm, r, va);
	if (!page)
		return -ENOMEM;
	memset(page, 0, PAGE);
	page_enter(vm, r, va, pte, page);
	return 0;
}

/* Handle a page fault at va. 0: try again; -EFAULT: the access is not allowed; -ENOMEM. */
int page_resolve(struct vm *vm, uint32_t va, uint32_t error)
{
	HOLD_SPIN(&vm->lock);
	return page_mend(vm, va, error);
}

/* Store a word, at a multiple of 4, in vm, which any CPU may use. Errors are page_resolve()'s. */
int page_poke(struct vm *vm, uint32_t va, uint32_t word)
{
	HOLD_SPIN(&vm->lock);
	int err = page_mend(vm, va, PF_WRITE);
	if (err == 0)
		*(uint32_t *)p2v((uint32_t)(*pte_of(vm, va, false) & PTE_ADDR) + va % PAGE) = word;
	return err;
}
