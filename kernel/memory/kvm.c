/*
 * The kernel's own gigabyte: the direct map that multiboot.asm has made, kernel
 * stacks and device registers.
 *
 *	0xC0000000	physical memory, up to 896 MB
 *	0xF8000000	kernel stacks
 *	0xFC000000	the page that programs can read, and device registers
 */
#include "kernel/memory/kvm.h"
#include "kernel/abi/timepage.h"
#include "kernel/memory/table.h"

#define DEVICES_END 0xFFE00000u
#define PTE_PCD 0x010ull /* not cached */

static uint32_t device_next = KVM_DEVICES + PAGE; /* constant after boot */

/*
 * Unmap what only booting needed and what nothing may touch: the map at 0, the boot stack's guard
 * page, and the direct map above ram_end.
 */
void kvm_init(uint32_t ram_end)
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
void kvm_flush(void *)
{
	write_cr4(read_cr4() & ~CR4_PGE);
	write_cr4(read_cr4() | CR4_PGE);
}

/* Use the kernel's own tables on this CPU, which may remember others. */
void kvm_use(void)
{
	write_cr3(v2p(kernel_pdpt));
	kvm_flush(NULL);
}

/* Return the entry for a kernel page outside of the direct map; NULL when there is no table. */
uint64_t *kvm_pte(uint32_t va, bool create)
{
	uint64_t *pde = &kernel_pd[(va - KERNBASE) / BIGPAGE];

	if (!table_there(pde, PTE_P | PTE_W, PAYER_OWNER, create))
		return NULL;
	return (uint64_t *)p2v((uint32_t)(*pde & PTE_ADDR)) + va / PAGE % 512;
}

/* Have programs read a page of the kernel's at TIME_PAGE, whose table map_device() has made. */
void kvm_show(const void *page)
{
	kernel_pd[(TIME_PAGE - KERNBASE) / BIGPAGE] |= PTE_U;
	_Static_assert(TIME_PAGE == KVM_DEVICES, "the first page is the one before the devices'");
	*kvm_pte(TIME_PAGE, false) = v2p(page) | PTE_P | PTE_U | PTE_G | pte_nx;
}

/* Map n bytes of device registers or firmware tables at pa, uncached; return where. For booting. */
void *map_device(uint32_t pa, size_t n)
{
	uint32_t off = pa % PAGE, va = device_next;

	for (uint32_t at = 0; at < off + n; at += PAGE) {
		uint64_t *pte = NULL;
		if (device_next < DEVICES_END)
			pte = kvm_pte(device_next, true);
		if (!pte)
			panic("no room to map device memory at %x", pa);
		*pte = (pa - off + at) | KVM_DATA | PTE_PCD | pte_nx;
		device_next += PAGE;
	}
	return (void *)(uintptr_t)(va + off);
}
