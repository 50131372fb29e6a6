/* The ELF files of the kernel and of programs: see image.h. */
#include <gelf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tools/buildtree.h"
#include "tools/code/image.h"
#include "tools/code/lines.h"
#include "tools/code/objdump.h"
#include "tools/memory.h"

#define KERNBASE 0xc0000000u   /* Gnomon's */

/* Find the bounds of text: the kernel's, or those of the first executable segment. */
static void find_text(struct image *image)
{
	const struct symbols *s = &image->symbols;
	GElf_Phdr ph;
	size_t i, n;

	if (s->has_text) {
		image->kernel = true;
		image->text = s->ktzero;
		image->etext = s->etext;
		return;
	}
	if (elf_getphdrnum(s->elf, &n) != 0)
		return;
	for (i = 0; i < n; i++) {
		if (!gelf_getphdr(s->elf, i, &ph) || ph.p_type != PT_LOAD || !(ph.p_flags & PF_X))
			continue;
		image->text = ph.p_vaddr;
		image->etext = ph.p_vaddr + ph.p_memsz;
		return;
	}
}

/* Return whether a file lies below a folder, or NULL. */
static bool lies_below(const char *path, const char *folder)
{
	size_t n = folder ? strlen(folder) : 0;

	return folder && strncmp(path, folder, n) == 0 && path[n] == '/';
}

/* Open a file and keep it. NULL and why: it is not a file that we can use. */
static struct image *open_image(struct images *images, const char *path, struct complaint *why)
{
	struct image *image = memory_zeroed(1, sizeof(*image));
	const char *slash;

	if (symbols_load(&image->symbols, path, why) < 0) {
		free(image);
		return NULL;
	}
	image->path = memory_string(path, strlen(path));
	slash = strrchr(image->path, '/');
	image->name = slash ? slash + 1 : image->path;
	if (lies_below(path, images->dir))
		image->sources = images->sources;
	find_text(image);
	images->image = memory_grow(images->image, &images->room, images->n + 1,
				    sizeof(struct image *));
	images->image[images->n++] = image;
	return image;
}

void images_init(struct images *images)
{
	struct complaint none;
	char path[PATH_MAX];

	*images = (struct images){.n = 0};
	if (buildtree_folder(path, sizeof(path), &none) < 0)
		return;
	images->dir = memory_string(path, strlen(path));
	images->sources = memory_format("%s/src", path);
	if (access(images->sources, F_OK) == 0)
		return;
	free(images->sources);
	images->sources = NULL;
}

void images_free(struct images *images)
{
	size_t i;

	for (i = 0; i < images->n; i++) {
		lines_free(images->image[i]->lines);
		objdump_free(images->image[i]->objdump);
		symbols_free(&images->image[i]->symbols);
		free(images->image[i]->path);
		free(images->image[i]);
	}
	free(images->image);
	free((char *)images->dir);
	free(images->sources);
	*images = (struct images){.n = 0};
}

/* Only what the file has of a segment counts: the rest of it, the bss, is zeros in memory. */
uint64_t image_offset(const struct image *image, code_addr pc)
{
	GElf_Phdr ph;
	size_t i, n;

	if (elf_getphdrnum(image->symbols.elf, &n) != 0)
		return 0;
	for (i = 0; i < n; i++)
		if (gelf_getphdr(image->symbols.elf, i, &ph) && ph.p_type == PT_LOAD &&
		    pc - ph.p_vaddr < ph.p_filesz)
			return ph.p_offset + (pc - ph.p_vaddr);
	return 0;
}

int images_add(struct images *images, const char *path, struct complaint *why)
{
	return open_image(images, path, why) ? 0 : -1;
}

/* Return where the upper half of a kernel's addresses begins. */
static code_addr upper_half(const struct image *kernel)
{
	return (code_addr)1 << (8 * kernel->symbols.width - 1);
}

/*
 * It is in the text of a known kernel, or after that if the kernel is in the upper half of
 * addresses, where no program is. If no kernel is known: where Gnomon's would be.
 */
bool images_kernel_pc(const struct images *images, code_addr pc)
{
	bool known = false;
	size_t i;

	for (i = 0; images && i < images->n; i++) {
		const struct image *k = images->image[i];

		if (k->kernel && pc >= k->text && (pc < k->etext || k->text >= upper_half(k)))
			return true;
		known |= k->kernel;
	}
	return !known && pc >= KERNBASE;
}

const struct symbol *image_symbol(const struct image *image, code_addr pc)
{
	return image ? symbols_at(&image->symbols, pc) : NULL;
}

/* Return the DWARF data, read when first needed. */
static const struct lines *lines_of(struct image *image)
{
	if (!image->lines)
		image->lines = lines_load(image->symbols.elf);
	return image->lines;
}

const char *image_source_dir(struct image *image)
{
	return image->sources ? image->sources : lines_of(image)->dir;
}

bool image_inlined(struct image *image, const char *name, size_t *at, struct image_range *range)
{
	const struct lines *l = lines_of(image);
	const struct line_scope *s;

	while (*at < l->nscope) {
		s = &l->scope[(*at)++];
		if (!s->inlined || s->lo < range->hi || strcmp(s->name, name) != 0)
			continue;
		*range = (struct image_range){.lo = s->lo, .hi = s->hi};
		return true;
	}
	return false;
}

struct place image_line(struct image *image, code_addr pc)
{
	const struct line_row *row = image ? lines_row(lines_of(image), pc) : NULL;
	const struct symbol *symbol = image_symbol(image, pc);

	return (struct place){
		.function = symbol ? symbol->name : "?",
		.file = row ? row->file : NULL,
		.line = row ? row->line : 0,
	};
}

bool image_one_line(struct image *image, code_addr lo, code_addr hi)
{
	return !image || lines_one(lines_of(image), lo, hi);
}

/* From the innermost scope outwards, as long as scopes are inlined functions. */
size_t image_places(struct image *image, code_addr pc, struct place place[IMAGE_PLACES])
{
	struct place at = image_line(image, pc);
	const struct lines *l = image ? lines_of(image) : NULL;
	uint32_t i = l ? lines_scope(l, pc) : LINES_NONE;
	const char *outermost = at.function;
	size_t n = 0;

	for (; i != LINES_NONE && l->scope[i].inlined && n < IMAGE_PLACES - 1;
	     i = l->scope[i].parent) {
		at.function = l->scope[i].name;
		place[n++] = at;
		at.file = l->scope[i].call_file;
		at.line = l->scope[i].call_line;
	}
	at.function = outermost;
	place[n++] = at;
	return n;
}
