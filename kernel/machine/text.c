/* Writes to the text of the kernel that runs. */
#include "kernel/machine/text.h"
#include "kernel/machine/i386.h"
#include "kernel/machine/panic.h"
#include "kernel/machine/string.h"

/*
 * Change n <= 8 bytes of text, all inside 8 aligned ones, by a single store: any code that
 * runs there, an NMI's handler included, meets the old bytes or the new. Of what this does when it
 * changes what is called at the entry of each function nothing is counted as a call.
 */
UNSEEN void text_write(uint32_t va, const void *from, size_t n)
{
	uint64_t *word = (uint64_t *)(uintptr_t)(va & ~7u);
	uint64_t old, new;
	uint32_t flags = irq_save(), cr0 = read_cr0();

	if (va % 8 + n > 8)
		panic("text_write(%x, %u) crosses 8 bytes", va, n);
	write_cr0(cr0 & ~CR0_WP);
	do {
		new = old = *(volatile uint64_t *)word;
		for (size_t i = 0; i < n; i++)
			((uint8_t *)&new)[va % 8 + i] = ((const uint8_t *)from)[i];
	} while (!__sync_bool_compare_and_swap(word, old, new));
	write_cr0(cr0);
	irq_restore(flags);
}
