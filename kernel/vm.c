/*
 * User address spaces: regions, pages that are filled on first touch, copy on write. Each
 * has its own page directory pointer table, whose last entry is the kernel's gigabyte and the
 * same in all (SDM 3A, section 4.4).
 *
 * Whoever makes or copies an address space is promised a frame for each page that may be
 * written, and gets all its page tables at once: so no program ends later for want of memory,
 * unless its stack grows past the part that was promised.
 */
#include "kernel/vm.h"
#include "kernel/account.h"
#include "kernel/frame.h"
#include "kernel/memory.h"
#include "kernel/prof/hooks.h"
#include "kernel/smp.h"

#define STACK_MAX (1u << 20)	/* bytes; the lowest a user stack may reach below USER_TOP */
#define STACK_PROMISED (1u << 16) /* bytes of it that can be had for sure */

/* A stretch of user memory, [start, end) in whole pages. */
struct region {
	uint32_t start, end;
	uint32_t low, high; /* all pages that are present: most of a stack is never touched */
	uint32_t top; /* the highest that end ever was: there may be page tables up to here */
	uint32_t promised; /* a frame is promised for each page from here to end */
	uint32_t prot;
};

struct vm {
	uint64_t pdpt[4];	/* aligned to 32 bytes, as the heap's objects of this size are */
	struct spinlock lock;	/* guards all of this and the page tables */
	uint32_t ref;		/* atomic */
	uint32_t near;		/* the number of the page table that was looked up last */
	uint64_t *near_table;	/* that table; while there is an address space, none is freed */
	struct region *near_region; /* found last */
	unsigned heap;		/* the region that brk() moves the end of */
	uint32_t brk;		/* the exact break, any byte */
	uint32_t brk_low;	/* where it was first: the end of the program's data */
	size_t resident;	/* pages present */
	uint32_t promised;	/* frames */
	struct account *payer;	/* of whoever made it; changes only while one process uses it */
	unsigned nregion, room; /* constant once it is in use */
	struct region region[]; /* ascending */
};

_Static_assert(offsetof(struct vm, pdpt) == 0, "vm_use() loads the address of vm itself");
_Static_assert(offsetof(struct vm, region) > 48, "the heap's larger sizes are multiples of 32");

/* See vm.h. */
bool table_make(uint64_t *entry, uint32_t bits, struct account *payer)
{
	void *table = frame_alloc_zeroed(payer);

	if (table)
		*entry = v2p(table) | bits;
	return table;
}

/* Return the entry for va's page table, in a directory that is made if create is set; or NULL. */
static uint64_t *pde_of(struct vm *vm, uint32_t va, bool create)
{
	uint64_t *slot = &vm->pdpt[va >> 30];

	if (!(*slot & PTE_P)) {
		if (!create || !table_make(slot, PTE_P, vm->payer))
			return NULL;
		if (read_cr3() == v2p(vm->pdpt))
			write_cr3(read_cr3()); /* the processor has copies of the four entries */
	}
	return (uint64_t *)p2v((uint32_t)(*slot & PTE_ADDR)) + (va / BIGPAGE & 511);
}

/* Look up the page table for va, unless it is absent and not to be made: then false. */
static bool table_find(struct vm *vm, uint32_t va, bool create)
{
	uint64_t *pde = pde_of(vm, va, create);

	if (!pde || (!(*pde & PTE_P) &&
		     (!create || !table_make(pde, PTE_P | PTE_W | PTE_U, vm->payer))))
		return false;
	vm->near = va / BIGPAGE;
	vm->near_table = p2v((uint32_t)(*pde & PTE_ADDR));
	return true;
}

/* Return the page table entry for va, or NULL; create makes the tables on the way. */
static inline uint64_t *pte_of(struct vm *vm, uint32_t va, bool create)
{
	if (va / BIGPAGE != vm->near && !table_find(vm, va, create))
		return NULL;
	return &vm->near_table[va / PAGE & 511];
}

static inline uint64_t pte_make(uint32_t pa, uint32_t prot)
{
	return pa | PTE_P | PTE_U | (prot & VM_W ? PTE_W : 0) | (prot & VM_X ? 0 : pte_nx);
}

static inline struct region *region_at(struct vm *vm, uint32_t va)
{
	struct region *r = vm->near_region, *end = &vm->region[vm->nregion];

	if (va >= r->start && va < r->end)
		return r;
	for (r = vm->region; r < end && va >= r->end;)
		r++;
	return r < end && va >= r->start ? vm->near_region = r : NULL;
}

/* Return a new, empty address space with room for that many regions; NULL when out of memory. */
struct vm *vm_new(unsigned room)
{
	struct vm *vm = kmalloc(sizeof(*vm) + room * sizeof(vm->region[0]));

	if (vm)
		*vm = (struct vm){
			.pdpt[3] = v2p(kernel_pd) | PTE_P, .lock.name = "vm", .ref = 1,
			.near = UINT32_MAX, .near_region = vm->region,
			.payer = account_self(), .room = room,
		};
	return vm;
}

struct vm *vm_ref(struct vm *vm)
{
	__atomic_add_fetch(&vm->ref, 1, __ATOMIC_RELAXED);
	return vm;
}

/*
 * Return the entries for the *n pages from va on that lie in one table and before end, or
 * NULL when that table is absent.
 */
static uint64_t *pte_run(struct vm *vm, uint32_t va, uint32_t end, unsigned *n)
{
	uint32_t stop = (va | (BIGPAGE - 1)) + 1;

	*n = ((stop < end ? stop : end) - va) / PAGE;
	return pte_of(vm, va, false);
}

/* Free the pages of [start, end), which no processor can reach. */
static void sweep(struct vm *vm, uint32_t start, uint32_t end)
{
	unsigned n;

	for (uint32_t va = start; va < end; va += n * PAGE) {
		uint64_t *pte = pte_run(vm, va, end, &n);
		for (unsigned i = 0; pte && i < n; i++) {
			uint32_t pa = (uint32_t)(pte[i] & PTE_ADDR);
			if (!pa)
				continue;
			if (!frame_leave(pa))
				frame_free(p2v(pa));
			pte[i] = 0;
			vm->resident--;
		}
	}
}

/* Free the page tables that cover [start, end). */
static void tables_free(struct vm *vm, uint32_t start, uint32_t end)
{
	for (uint32_t va = start & ~(BIGPAGE - 1); va < end; va += BIGPAGE) {
		uint64_t *pde = pde_of(vm, va, false);
		if (pde && *pde & PTE_P) {
			frame_free_zeroed(p2v((uint32_t)(*pde & PTE_ADDR)));
			*pde = 0;
		}
	}
}

/* Every table is all zeros again when it is freed. */
static void vm_free(struct vm *vm)
{
	const struct region *end = &vm->region[vm->nregion];

	hook_vm_free(vm);
	for (struct region *r = vm->region; r < end; r++)
		sweep(vm, r->low, r->high);
	for (struct region *r = vm->region; r < end; r++)
		tables_free(vm, r->start, r->top);
	for (int i = 0; i < 3; i++)
		if (vm->pdpt[i] & PTE_P)
			frame_free_zeroed(p2v((uint32_t)(vm->pdpt[i] & PTE_ADDR)));
	frame_unpromise(vm->payer, vm->promised);
	kfree(vm);
}

/*
 * Have the account pay for what is promised to the calling process, unless that shares its memory.
 * False if that is more than the account may have.
 */
bool vm_charge(struct vm *vm, struct account *a)
{
	if (vm->ref > 1)
		return true;
	if (!account_move(vm->payer, a, ACCOUNT_PAGES, vm->promised))
		return false;
	vm->payer = a;
	return true;
}

/* Drop a reference; the last one frees vm, which no CPU uses any more. NULL does nothing. */
void vm_put(struct vm *vm)
{
	if (vm && __atomic_sub_fetch(&vm->ref, 1, __ATOMIC_ACQ_REL) == 0)
		vm_free(vm);
}

/* Make all tables for [start, end). Those made before it fails stay, for vm_free(). */
static bool tables_make(struct vm *vm, uint32_t start, uint32_t end)
{
	for (uint32_t va = start & ~(BIGPAGE - 1); va < end; va += BIGPAGE)
		if (!pte_of(vm, va, true))
			return false;
	return true;
}

/* Have n pages more promised. */
static bool promise(struct vm *vm, uint32_t n)
{
	bool ok = n == 0 || frame_promise(vm->payer, n);

	if (ok)
		vm->promised += n;
	return ok;
}

/*
 * Make a region of [start, end), whole pages in user space and in no region, in an address space
 * that is not yet in use. Pages from `promised` on can be had for sure. -EINVAL, -ENOMEM.
 */
static int region_add(struct vm *vm, uint32_t start, uint32_t end, int prot, uint32_t promised)
{
	unsigned i = 0;

	if (start % PAGE || end % PAGE || start < PAGE || start > end || end > USER_TOP)
		return -EINVAL;
	while (i < vm->nregion && vm->region[i].end <= start)
		i++;
	struct region *r = &vm->region[i];
	if (vm->nregion == vm->room || (i < vm->nregion && r->start < end))
		return -EINVAL;
	memmove(r + 1, r, (vm->nregion++ - i) * sizeof(*r));
	*r = (struct region){
		.start = start, .end = end, .low = end, .high = start, .top = end,
		.promised = promised, .prot = (uint32_t)prot,
	};
	return promise(vm, (end - promised) / PAGE) && tables_make(vm, start, end) ? 0 : -ENOMEM;
}

/* Make a region of [start, end), as region_add(); its pages are zeros at first. */
int vm_map(struct vm *vm, uint32_t start, uint32_t end, int prot)
{
	return region_add(vm, start, end, prot, prot & VM_W ? start : end);
}

/* Make the stack's region. -EINVAL, -ENOMEM. */
int vm_stack(struct vm *vm)
{
	return region_add(vm, USER_TOP - STACK_MAX, USER_TOP, VM_R | VM_W,
			  USER_TOP - STACK_PROMISED);
}

/* Enter a page at va, whose entry is *pte. */
static inline void page_enter(struct vm *vm, struct region *r, uint32_t va, uint64_t *pte,
			      void *page)
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
		if (!promise(vm, (r->promised - start) / PAGE))
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
void *vm_page(struct vm *vm, uint32_t va, size_t n)
{
	struct region *r = region_at(vm, va);
	uint64_t *pte = r ? pte_of(vm, va, false) : NULL;
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

/* Begin an empty heap at start, where the program's data end. */
int vm_setbrk(struct vm *vm, uint32_t start)
{
	uint32_t page = (start + PAGE - 1) & ~(PAGE - 1);
	int err = vm_map(vm, page, page, VM_R | VM_W);

	if (err)
		return err;
	while (vm->region[vm->heap].start != page || vm->region[vm->heap].end != page)
		vm->heap++;
	vm->brk = vm->brk_low = start;
	return 0;
}

/* Free the heap's pages from end on. */
static void heap_shrink(struct vm *vm, struct region *heap, uint32_t end)
{
	uint32_t n = (heap->end - end) / PAGE;

	for (uint32_t va = end; va < heap->high; va += PAGE)
		*pte_of(vm, va, false) &= ~PTE_P; /* a heap has all its tables */
	vm_flush(vm);
	sweep(vm, end, heap->high);
	if (heap->high > end)
		heap->high = end;
	frame_unpromise(vm->payer, n);
	vm->promised -= n;
}

/* Have the heap's pages up to end promised, and their tables made. */
static bool heap_grow(struct vm *vm, struct region *heap, uint32_t end)
{
	uint32_t n = (end - heap->end) / PAGE;

	if (!promise(vm, n))
		return false;
	if (heap->top < end)
		heap->top = end; /* vm_free() finds the tables by it */
	if (tables_make(vm, heap->end, end))
		return true;
	frame_unpromise(vm->payer, n);
	vm->promised -= n;
	return false;
}

/* Move the break to addr, unless that is 0; *now is where it is. -ENOMEM. */
int vm_brk(struct vm *vm, uint32_t addr, uint32_t *now)
{
	struct region *r = &vm->region[vm->heap], *next = r + 1;

	HOLD_SPIN(&vm->lock);
	*now = vm->brk;
	if (!addr)
		return 0;
	uint32_t limit = next < &vm->region[vm->nregion] ? next->start - PAGE : USER_TOP;
	uint32_t end = (addr + PAGE - 1) & ~(PAGE - 1);
	if (addr < vm->brk_low || addr > limit || (end > r->end && !heap_grow(vm, r, end)))
		return -ENOMEM;
	if (end < r->end)
		heap_shrink(vm, r, end);
	r->end = end;
	*now = vm->brk = addr;
	return 0;
}

/* Share the pages of n entries with the child, writable ones until they are written. */
static void share(struct vm *child, uint64_t *pte, uint64_t *copy, unsigned n)
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
static bool region_share(struct vm *vm, struct vm *child, const struct region *r)
{
	unsigned n;

	if (!tables_make(child, r->prot & VM_W ? r->promised : r->start, r->end))
		return false;
	for (uint32_t va = r->low; va < r->high; va += n * PAGE) {
		uint64_t *pte = pte_run(vm, va, r->high, &n);
		share(child, pte, pte_of(child, va, false), n);
	}
	return true;
}

/* Copy the regions to the child, to which as much is promised; false when out of memory. */
static bool regions_copy(struct vm *vm, struct vm *child)
{
	if (!promise(child, vm->promised))
		return false;
	memcpy(child->region, vm->region, vm->nregion * sizeof(vm->region[0]));
	child->nregion = vm->nregion;
	for (unsigned i = 0; i < vm->nregion; i++)
		if (!region_share(vm, child, &vm->region[i]))
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
	bool ok = regions_copy(vm, child);
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
	if (!frame_leave(pa))
		frame_free(p2v(pa));
}

/* Allow the access to va that a page fault's error code describes. The caller holds the lock. */
static int mend(struct vm *vm, uint32_t va, uint32_t error)
{
	struct region *r = region_at(vm, va);

	if (!r || error & ~(PF_PRESENT | PF_WRITE | PF_USER | PF_FETCH))
		return -EFAULT;
	if (error & PF_WRITE ? !(r->prot & VM_W) :
	    error & PF_FETCH ? !(r->prot & VM_X) : !(r->prot & VM_R))
		return -EFAULT;
	uint64_t *pte = pte_of(vm, va, false);
	if (!pte)
		return -ENOMEM; /* only a stack's tables may be missing */
	uint32_t entry = (uint32_t)*pte;
	if (entry & PTE_P) {
		if (error & PF_WRITE && entry & PTE_COW)
			page_unshare(vm, r, pte);
		invlpg(va);
		return 0;
	}
	if (!(r->prot & VM_W)) /* the loader has filled it as far as it goes */
		return -EFAULT;
	uint8_t *page = page_promised(vm, r, va);
	if (!page)
		return -ENOMEM;
	memset(page, 0, PAGE);
	page_enter(vm, r, va, pte, page);
	return 0;
}

/* Handle a page fault at va. 0: try again; -EFAULT: the access is not allowed; -ENOMEM. */
int vm_fault(struct vm *vm, uint32_t va, uint32_t error)
{
	HOLD_SPIN(&vm->lock);
	return mend(vm, va, error);
}

/* Store a word, at a multiple of 4, in vm, which any CPU may use. Errors are vm_fault()'s. */
int vm_poke(struct vm *vm, uint32_t va, uint32_t word)
{
	HOLD_SPIN(&vm->lock);
	int err = mend(vm, va, PF_WRITE);
	if (err == 0)
		*(uint32_t *)p2v((uint32_t)(*pte_of(vm, va, false) & PTE_ADDR) + va % PAGE) = word;
	return err;
}

/* Return the number of pages present. */
size_t vm_resident(struct vm *vm)
{
	return vm->resident;
}
