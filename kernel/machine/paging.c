/* Page tables from before there is C: multiboot.asm and trampoline.asm fill and use them. */
#include "kernel/machine/paging.h"

#define BOOT_PAGE __attribute__((section(".bss.page"), aligned(PAGE)))
BOOT_PAGE uint64_t kernel_pd[512];  /* the gigabyte at KERNBASE */
BOOT_PAGE uint64_t boot_pt[1024];   /* its first 4 MB in small pages */
BOOT_PAGE uint64_t kernel_pdpt[4];
BOOT_PAGE uint64_t kernel_pdpt_low[4]; /* trampoline.asm's: the same, and memory's start at 0 */
BOOT_PAGE uint8_t boot_stack[PAGE + KSTACK_PAGES * PAGE]; /* the lowest page is the guard */
uint64_t pte_nx;
