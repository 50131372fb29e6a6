/*
 * ELF files of the host's commands: symbols, segments, code.
 * Runs: 10000
 * Links: tests/fuzz/mutate.c tests/fuzz/file.c tests/fuzz/elffields.c
 */
#include <stdlib.h>
#include "tests/fuzz/elffields.h"
#include "tools/code/disasm.h"
#include "tools/code/image.h"

void fuzz_fields(struct fuzz_fields *f, const uint8_t *data, size_t n)
{
	elf_fields(f, data, n);
}

void fuzz_seal(uint8_t *data, size_t n)
{
}

/* Look at the functions: their names, and the code of the small ones. */
static void look(struct image *image)
{
	struct complaint why;
	size_t i, count;

	for (i = 0; i < image->symbols.n && i < 64; i++) {
		const struct symbol *s = &image->symbols.sym[i];

		fuzz_use(s->name);
		image_offset(image, s->start);
		if (image_symbol(image, s->start) && s->end - s->start < 4096)
			free(disasm(image, s->start, s->end, &count, &why));
	}
	fuzz_use(image->symbols.buildid);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct images images = {.n = 0};
	struct complaint why;

	if (images_add(&images, fuzz_file(data, n), &why) == 0)
		look(images.image[0]);
	images_free(&images);
	return 0;
}
