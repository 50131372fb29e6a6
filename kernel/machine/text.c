/* Writes to the text of the kernel that runs. */
#include "kernel/machine/text.h"
#include "kernel/machine/i386.h"
#include "kernel/machine/panic.h"

/*
 * Write 8 aligned bytes of text by a single store: any code that runs there, an NMI's handler
 * included, meets the old bytes or the new. Of what this does when it changes what is called at the
 * entry of each function nothing is counted as a call.
 */
UNSEEN void text_store(uint64_t *word, uint64_t new)
{
	uint32_t flags = irq_save(), cr0 = read_cr0();

	write_cr0(cr0 & ~CR0_WP);
	while (!__sync_bool_compare_and_swap(word, *word, new))
		;
	write_cr0(cr0);
	irq_restore(flags);
}

/* The same for n <= 8 bytes of text, all inside 8 aligned ones. */
UNSEEN void text_write(uint32_t va, const void *from, size_t n)
{
	uint64_t *word = (uint64_t *)(uintptr_t)(va & ~7u);
	uint64_t new = *word;

	if (va % 8 + n > 8)
		panic("text_write(%x, %u) crosses 8 bytes", va, n);
	for (size_t i = 0; i < n; i++)
		((uint8_t *)&new)[va % 8 + i] = ((const uint8_t *)from)[i];
	text_store(word, new);
}
