/* What the boot loader says about memory and modules. */
#ifndef BOOT_MEMORY_H
#define BOOT_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A file that the boot loader brought; name is its command line, without directories. */
struct module {
	const void *data;
	size_t size;
	char name[32];
};

/* Read the multiboot information, and hand all free memory to the frame allocator. */
void memory_init(uint32_t magic, uint32_t info);
void memory_print(void);
bool memory_module(unsigned i, struct module *m);

#endif
