/*
 * DWARF data: source lines and inlined functions of every address, and where variables are.
 * Runs: 5000
 * Links: tests/fuzz/mutate.c tests/fuzz/file.c tests/fuzz/elffields.c
 */
#include <string.h>
#include "tests/fuzz/elffields.h"
#include "tools/code/image.h"
#include "tools/code/lines.h"
#include "tools/guest/layout.h"

void fuzz_fields(struct fuzz_fields *f, const uint8_t *data, size_t n)
{
	elf_fields(f, data, n);
}

void fuzz_seal(uint8_t *data, size_t n)
{
}

/* Look at all places that the file has lines for. */
static void look(struct image *image)
{
	struct place place[IMAGE_PLACES];
	const struct lines *l;
	size_t i, n;

	fuzz_use(image_source_dir(image));
	l = image->lines;
	for (i = 0; i < l->nrow && i < 256; i++)
		for (n = image_places(image, l->row[i].pc, place); n > 0; n--) {
			fuzz_use(place[n - 1].function);
			fuzz_use(place[n - 1].file);
		}
	for (i = 0; i < l->nscope && i < 256; i++) {
		fuzz_use(l->scope[i].name);
		fuzz_use(l->scope[i].call_file);
	}
}

/* Memory in which every word is an address inside the memory. */
static int read_word(struct ram *r, uint64_t pa, void *to, size_t n, struct complaint *why)
{
	if (pa > 0x1000000)
		return complain(why, "no memory");
	memset(to, 0xc0, n);
	return 0;
}

static void find_variables(const char *path)
{
	static const char *const paths[] = {
		"table", "table[1]", "table[2].next.name", "seed.c:here.value", "here.inner",
		"here.next[3].name[2]", "here.x[4]", "here.last.next.next",
	};
	struct ram ram = {.read = read_word};
	struct layout l;
	struct location at;
	struct complaint why;

	if (layout_open(&l, path, &why) < 0)
		return;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		layout_find(&l, &ram, paths[i], &at, &why);
	layout_close(&l);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct images images = {.n = 0};
	const char *path = fuzz_file(data, n);
	struct complaint why;

	if (images_add(&images, path, &why) == 0)
		look(images.image[0]);
	images_free(&images);
	find_variables(path);
	return 0;
}
