/*
 * The kernel's own gigabyte: the direct map that multiboot.asm has made, kernel stacks with a
 * guard page under each, device registers, and writes to text.
 *
 *	0xC0000000	physical memory, up to 896 MB
 *	0xF8000000	kernel stacks
 *	0xFC000000	device registers
 */
#include "kernel/account.h"
#include "kernel/memory.h"
#include "kernel/print.h"
#include "kernel/proc.h"
#include "kernel/smp.h"
#include "kernel/vm.h"

#define STACKS 0xF8000000u
#define DEVICES 0xFC000000u
#define DEVICES_END 0xFFE00000u
#define STACK_SLOT ((KSTACK_PAGES + 1) * PAGE)
#define PTE_PCD 0x010ull /* not cached */
#define PTE_DATA (PTE_P | PTE_W | PTE_G)
#define MAXKEPT 8 /* free stacks that stay mapped, so that most forks map nothing */

/* Filled by multiboot.asm, before there was C. */
#define BOOT_PAGE __attribute__((section(".bss.page"), aligned(PAGE)))
BOOT_PAGE uint64_t kernel_pd[512];  /* the gigabyte at KERNBASE */
BOOT_PAGE uint64_t boot_pt[1024];   /* its first 4 MB in small pages */
BOOT_PAGE uint64_t kernel_pdpt[4];
BOOT_PAGE uint64_t kernel_pdpt_low[4]; /* trampoline.asm's: the same, and memory's start at 0 */
BOOT_PAGE uint8_t boot_stack[PAGE + KSTACK_PAGES * PAGE]; /* the lowest page is the guard */
uint64_t pte_nx;

static struct spinlock lock = {.name = "kvm"};
static uint8_t *kept;			/* lock; free stacks, each pointing to the next */
static unsigned nkept;			/* lock */
static uint32_t stack_next = STACKS;	/* slot_take(); no place from here on was ever used */
static uint32_t slots_clean;		/* slot_take(); free places, which no processor remembers */
static uint32_t slots_used;		/* lock; free places, which some may remember */
static uint32_t device_next = DEVICES;	/* lock */

/*
 * Unmap what only booting needed and what nothing may touch: the map at 0, the boot stack's guard
 * page, and the direct map above ram_end.
 */
void vm_init(uint32_t ram_end)
{
	for (uint32_t i = (ram_end + BIGPAGE - 1) / BIGPAGE;
	     i < (KERNMAP_END - KERNBASE) / BIGPAGE; i++)
		kernel_pd[i] = 0;
	boot_pt[v2p(boot_stack) / PAGE] = 0;
	kernel_pdpt_low[0] = kernel_pdpt_low[3] = v2p(kernel_pd) | PTE_P;
	kernel_pdpt[0] = 0;
	kvm_use();
}

/*
 * Flush all translations of this CPU, global ones too (SDM 3A, 4.10.4.1): for cpus_call(), for the
 * process that runs keeps its tables.
 */
static void flush(void *)
{
	write_cr4(read_cr4() & ~CR4_PGE);
	write_cr4(read_cr4() | CR4_PGE);
}

/* Use the kernel's own tables on this CPU, which may remember others. */
void kvm_use(void)
{
	write_cr3(v2p(kernel_pdpt));
	flush(NULL);
}

/* Return the entry for a kernel page outside of the direct map; NULL when there is no table. */
static uint64_t *kernel_pte(uint32_t va, bool create)
{
	uint64_t *pde = &kernel_pd[(va - KERNBASE) / BIGPAGE];

	if (!(*pde & PTE_P) && (!create || !table_make(pde, PTE_P | PTE_W, ACCOUNT_OWNER)))
		return NULL;
	return (uint64_t *)p2v((uint32_t)(*pde & PTE_ADDR)) + va / PAGE % 512;
}

/* Return where the place's guard page, which is never present, keeps the next place of its list. */
static uint64_t *slot_next(uint32_t base)
{
	return kernel_pte(base - PAGE, false);
}

/*
 * Take a place for a stack, with nothing mapped in it; 0: there is none. Processors may still
 * remember the stacks that were in the used ones, so all of those are flushed together.
 */
static uint32_t slot_take(void)
{
	static struct mutex taking = {.l.name = "stacks"};
	uint32_t base = 0;

	mutex_lock(&taking);
	if (!slots_clean) {
		spin_lock(&lock);
		slots_clean = slots_used;
		slots_used = 0;
		spin_unlock(&lock);
		if (slots_clean)
			cpus_call(flush, NULL);
	}
	if (slots_clean) {
		base = slots_clean;
		slots_clean = *slot_next(base);
	} else if (stack_next <= DEVICES - STACK_SLOT && kernel_pte(stack_next, true)) {
		base = stack_next + PAGE;
		stack_next += STACK_SLOT;
	}
	mutex_unlock(&taking);
	return base;
}

/* Unmap what is mapped of the stack at base, free its frames, and keep its place. */
static void stack_unmake(uint32_t base)
{
	HOLD_SPIN(&lock);
	for (uint32_t va = base; va < base + KSTACK_PAGES * PAGE; va += PAGE) {
		uint64_t *pte = kernel_pte(va, false);
		if (!pte || !(*pte & PTE_P))
			continue;
		frame_free(p2v((uint32_t)(*pte & PTE_ADDR)));
		*pte = 0;
	}
	*slot_next(base) = slots_used;
	slots_used = base;
}

/* Map a new stack, whose frames were promised. Return its lowest byte; 0 when out of memory. */
static uint32_t stack_make(void)
{
	uint32_t base = slot_take();

	for (uint32_t va = base; base && va < base + KSTACK_PAGES * PAGE; va += PAGE) {
		uint64_t *pte = kernel_pte(va, true);
		if (!pte) {
			stack_unmake(base);
			return 0;
		}
		*pte = v2p(frame_alloc_promised()) | PTE_DATA | pte_nx;
	}
	return base;
}

/* Take a stack that is kept, for the account; NULL: there is none, or the account is full. */
static void *kept_take(struct account *a)
{
	HOLD_SPIN(&lock);
	if (!kept || !account_move(ACCOUNT_OWNER, a, ACCOUNT_PAGES, KSTACK_PAGES))
		return NULL;
	uint8_t *s = kept;
	kept = *(uint8_t **)(void *)s;
	nkept--;
	return s;
}

/* Return the lowest byte of a stack of KSTACK_PAGES pages, for the account; NULL. May sleep. */
void *kstack_alloc(struct account *a)
{
	uint8_t *s = kept_take(a);

	if (s || !frame_promise(a, KSTACK_PAGES))
		return s;
	uint32_t base = stack_make();
	if (!base)
		frame_unpromise(a, KSTACK_PAGES);
	return (uint8_t *)(uintptr_t)base;
}

/* Keep the stack, which the account paid for, for the next process, or free it if enough are. */
void kstack_free(void *stack, struct account *a)
{
	bool keep = false;

	spin_lock(&lock);
	if (nkept < MAXKEPT && account_move(a, ACCOUNT_OWNER, ACCOUNT_PAGES, KSTACK_PAGES)) {
		keep = true;
		*(uint8_t **)stack = kept;
		kept = stack;
		nkept++;
	}
	spin_unlock(&lock);
	if (!keep) {
		stack_unmake((uint32_t)(uintptr_t)stack);
		frame_unpromise(a, KSTACK_PAGES);
	}
}

/* Map n bytes of device registers or firmware tables at pa, uncached; return where. */
void *map_device(uint32_t pa, size_t n)
{
	uint32_t off = pa % PAGE;

	HOLD_SPIN(&lock);
	uint32_t va = device_next;
	for (uint32_t at = 0; at < off + n; at += PAGE) {
		uint64_t *pte = device_next < DEVICES_END ? kernel_pte(device_next, true) : NULL;
		if (!pte)
			panic("no room to map device memory at %x", pa);
		*pte = (pa - off + at) | PTE_DATA | PTE_PCD | pte_nx;
		device_next += PAGE;
	}
	return (void *)(uintptr_t)(va + off);
}

/*
 * Change n <= 8 bytes of text, all inside 8 aligned ones, by a single store: any code that
 * runs there, an NMI's handler included, meets the old bytes or the new.
 */
void text_write(uint32_t va, const void *from, size_t n)
{
	uint64_t *word = (uint64_t *)(uintptr_t)(va & ~7u);
	uint64_t old, new;
	uint32_t flags = irq_save(), cr0 = read_cr0();

	if (va % 8 + n > 8)
		panic("text_write(%x, %u) crosses 8 bytes", va, n);
	write_cr0(cr0 & ~CR0_WP);
	do {
		old = *(volatile uint64_t *)word;
		new = old;
		memcpy((uint8_t *)&new + va % 8, from, n);
	} while (!__sync_bool_compare_and_swap(word, old, new));
	write_cr0(cr0);
	irq_restore(flags);
}
