/*
 * The kernel's own gigabyte: the direct map that multiboot.asm has made, kernel stacks with a
 * guard page under each, device registers, and writes to text.
 *
 *	0xC0000000	physical memory, up to 896 MB
 *	0xF8000000	kernel stacks
 *	0xFC000000	device registers
 */
#include "kernel/memory.h"
#include "kernel/print.h"
#include "kernel/proc.h"
#include "kernel/vm.h"

#define STACKS 0xF8000000u
#define DEVICES 0xFC000000u
#define DEVICES_END 0xFFE00000u
#define STACK_SLOT ((KSTACK_PAGES + 1) * PAGE)
#define PTE_PCD 0x010ull /* not cached */

/* Filled by multiboot.asm, before there was C. */
#define BOOT_PAGE __attribute__((section(".bss.page"), aligned(PAGE)))
BOOT_PAGE uint64_t kernel_pd[512];  /* the gigabyte at KERNBASE */
BOOT_PAGE uint64_t boot_pt[1024];   /* its first 4 MB in small pages */
BOOT_PAGE uint64_t kernel_pdpt[4];
BOOT_PAGE uint64_t kernel_pdpt_low[4]; /* trampoline.asm's: the same, and memory's start at 0 */
BOOT_PAGE uint8_t boot_stack[PAGE + KSTACK_PAGES * PAGE]; /* the lowest page is the guard */
uint64_t pte_nx;

static struct spinlock lock = {.name = "kvm"};
static uint8_t *stack_free;		/* lock; free stacks, each pointing to the next */
static uint32_t stack_next = STACKS;	/* lock */
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

/* Use the kernel's own tables on this CPU, and flush all translations, global ones too. */
void kvm_use(void)
{
	write_cr4(read_cr4() & ~CR4_PGE);
	write_cr3(v2p(kernel_pdpt));
	write_cr4(read_cr4() | CR4_PGE);
}

/* Map one kernel page outside of the direct map; false when out of memory. */
static bool map_page(uint32_t va, uint64_t pte)
{
	uint64_t *pde = &kernel_pd[(va - KERNBASE) / BIGPAGE];

	if (!(*pde & PTE_P) && !table_make(pde, PTE_P | PTE_W))
		return false;
	uint64_t *pt = p2v((uint32_t)(*pde & PTE_ADDR));
	pt[va / PAGE % 512] = pte | PTE_P | PTE_G | pte_nx;
	return true;
}

/* Map a new stack in the next slot, above its guard page; NULL when out of memory. */
static uint8_t *stack_make(void)
{
	uint32_t base = stack_next + PAGE;

	if (base + KSTACK_PAGES * PAGE > DEVICES)
		return NULL;
	for (uint32_t va = base; va < base + KSTACK_PAGES * PAGE; va += PAGE) {
		void *page = frame_alloc();
		if (!page || !map_page(va, v2p(page) | PTE_W))
			return NULL;
	}
	stack_next += STACK_SLOT;
	return (uint8_t *)(uintptr_t)base;
}

/* Return the lowest byte of a stack of KSTACK_PAGES pages; NULL when out of memory. */
void *kstack_alloc(void)
{
	spin_lock(&lock);
	uint8_t *s = stack_free;
	if (s)
		stack_free = *(uint8_t **)(void *)s;
	else
		s = stack_make();
	spin_unlock(&lock);
	return s;
}

/* Keep the stack for the next process. It stays mapped, so no CPU has to flush anything. */
void kstack_free(void *stack)
{
	spin_lock(&lock);
	*(uint8_t **)stack = stack_free;
	stack_free = stack;
	spin_unlock(&lock);
}

/* Map n bytes of device registers or firmware tables at pa, uncached; return where. */
void *map_device(uint32_t pa, size_t n)
{
	uint32_t off = pa % PAGE;

	spin_lock(&lock);
	uint32_t va = device_next;
	for (uint32_t at = 0; at < off + n; at += PAGE) {
		if (device_next >= DEVICES_END ||
		    !map_page(device_next, (pa - off + at) | PTE_W | PTE_PCD))
			panic("no room to map device memory at %x", pa);
		device_next += PAGE;
	}
	spin_unlock(&lock);
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
