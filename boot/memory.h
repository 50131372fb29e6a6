/* Memory and modules as the boot loader left them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct framebuffer;

/* A file that the boot loader loaded; name is its command line, without directories. */
struct module {
	const void *data;
	size_t size;
	char name[32];
};

/* Read the multiboot information, and give all free memory to the frame allocator. */
void memory_init(uint32_t magic, uint32_t info);
void memory_print(void);
bool memory_module(unsigned i, struct module *m);

/* Return the frame buffer and the ACPI root pointer that the loader tells of, or NULL. */
const struct framebuffer *memory_screen(void);
const void *memory_acpi(void);
