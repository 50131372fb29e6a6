/*
 * Memory dumps: the ELF cores of QEMU's dump-guest-memory.
 * Runs: 10000
 * Links: tests/fuzz/mutate.c tests/fuzz/file.c tests/fuzz/elffields.c
 */
#include <stdlib.h>
#include "tests/fuzz/elffields.h"
#include "tools/guest/ram.h"

void fuzz_fields(struct fuzz_fields *f, const uint8_t *data, size_t n)
{
	elf_fields(f, data, n);
}

void fuzz_seal(uint8_t *data, size_t n)
{
}

/* Read ranges of several sizes, in and around the first megabytes. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const uint32_t at[] = {0, 1, 0xfff, 0x1000, 0x1ff0, 0x2000, 0x100000, 0x37ffffff};
	static const size_t size[] = {1, 16, 4096, 70000};
	struct complaint why;
	struct ram *ram = ram_core(fuzz_file(data, n), &why);

	if (!ram)
		return 0;
	ram->virt = 0xc0000000u;
	for (size_t i = 0; i < sizeof(at) / sizeof(at[0]); i++)
		for (size_t k = 0; k < sizeof(size) / sizeof(size[0]); k++) {
			void *to = malloc(size[k]);

			ram_kernel(ram, 0xc0000000u + at[i], to, size[k], &why);
			free(to);
		}
	ram->close(ram);
	return 0;
}
