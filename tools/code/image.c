/* The ELF files of the kernel and of programs: see image.h. */
#include <errno.h>
#include <gelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tools/buildtree.h"
#include "tools/code/image.h"
#include "tools/code/lines.h"
#include "tools/code/objdump.h"
#include "tools/code/outline.h"
#include "tools/code/sections.h"
#include "tools/memory.h"

#define KERNBASE 0xc0000000u   /* Gnomon's */

/* Read the head of a segment. Return false: it cannot be read, or the segment is not loaded. */
static bool read_segment(Elf *elf, size_t i, GElf_Phdr *head)
{
	return gelf_getphdr(elf, (int)i, head) && head->p_type == PT_LOAD;
}

/* Return where no program is, but kernels may be: from this address on. */
static code_addr kernel_half(const struct symbols *s)
{
	if (s->width == 8)
		return (code_addr)1 << 63;
	return KERNBASE;
}

/*
 * Take an executable segment as text: the first one or, of a kernel of the upper half, all from the
 * first one there; what it begins with lies elsewhere.
 */
static void add_text(struct image *image, const GElf_Phdr *ph)
{
	bool upper = ph->p_vaddr >= kernel_half(&image->symbols), first = image->etext == 0;

	if (upper && !image->kernel)
		first = true;
	if (first)
		image->text = ph->p_vaddr;
	if (first || upper)
		image->etext = ph->p_vaddr + ph->p_memsz;
	image->kernel |= upper;
}

/* Find the bounds of text: the kernel's by its symbols, or those of executable segments. */
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
		if (!read_segment(s->elf, i, &ph))
			continue;
		if (ph.p_flags & PF_X)
			add_text(image, &ph);
	}
}

/* Return whether a file lies below a folder, which may be NULL. */
static bool lies_below(const char *path, const char *folder)
{
	size_t n;

	if (!folder)
		return false;
	n = strlen(folder);
	return strncmp(path, folder, n) == 0 && path[n] == '/';
}

/* Append a file to the kernels. */
static void add_kernel(struct images *images, struct image *image)
{
	images->kernel = memory_grow(images->kernel, &images->room_kernel, images->nkernel + 1,
				     sizeof(struct image *));
	images->kernel[images->nkernel++] = image;
}

void images_take_kernel(struct images *images, struct image *image)
{
	if (image->kernel)
		return;
	image->kernel = true;
	add_kernel(images, image);
}

/* Let a file be found by all that it is called. */
static void add_keys(struct imagekeys *k, struct image *image)
{
	imagekeys_add(k, IMAGEKEYS_PATH, image->path, image);
	imagekeys_add(k, IMAGEKEYS_NAME, image->name, image);
	if (!image->found)
		imagekeys_add(k, IMAGEKEYS_GIVEN, image->name, image);
	if (*image->symbols.buildid)
		imagekeys_add(k, IMAGEKEYS_ID, image->symbols.buildid, image);
	if (*image->symbols.codeid)
		imagekeys_add(k, IMAGEKEYS_ID, image->symbols.codeid, image);
}

/*
 * Open a file, which the user has named or a profile, and keep it. NULL and why: it is not a file
 * that we can use.
 */
static struct image *open_image(struct images *images, const char *path, bool found,
				struct complaint *why)
{
	struct image *image = memory_zeroed(1, sizeof(*image));

	if (symbols_load(&image->symbols, path, why) < 0) {
		free(image);
		return NULL;
	}
	image->path = memory_string(path, strlen(path));
	image->name = basename(image->path);
	if (lies_below(path, images->dir))
		image->sources = images->sources;
	find_text(image);
	images->image = memory_grow(images->image, &images->room, images->n + 1,
				    sizeof(struct image *));
	image->found = found;
	image->number = images->n;
	images->image[images->n++] = image;
	if (image->kernel)
		add_kernel(images, image);
	add_keys(&images->keys, image);
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
		sections_free(images->image[i]->sections);
		objdump_free(images->image[i]->objdump);
		outline_free(images->image[i]->outlines, images->image[i]->symbols.n);
		symbols_free(&images->image[i]->symbols);
		free(images->image[i]->path);
		free(images->image[i]);
	}
	free(images->image);
	free(images->kernel);
	imagekeys_free(&images->keys);
	free((char *)images->dir);
	free(images->sources);
	texts_free(&images->said);
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
		if (read_segment(image->symbols.elf, i, &ph) && pc - ph.p_vaddr < ph.p_filesz)
			return ph.p_offset + (pc - ph.p_vaddr);
	return 0;
}

int images_add(struct images *images, const char *path, struct complaint *why)
{
	if (imagekeys_find(&images->keys, IMAGEKEYS_PATH, path))
		return 0;
	if (!open_image(images, path, false, why))
		return -1;
	return 0;
}

struct image *images_open(struct images *images, const char *path, struct complaint *why)
{
	char *real = realpath(path, NULL);
	struct image *image;

	if (!real) {
		complain(why, "%s: %s", path, strerror(errno));
		return NULL;
	}
	image = imagekeys_find(&images->keys, IMAGEKEYS_PATH, real);
	if (!image)
		image = open_image(images, real, true, why);
	free(real);
	return image;
}

void images_say(struct images *images, const char *path, const struct complaint *what)
{
	size_t n = images->said.n;

	if (texts_number(&images->said, what->text, strlen(what->text)) < n)
		return;
	if (images->command)
		fprintf(stderr, "gnomon %s: ", images->command);
	fprintf(stderr, "%s: %s\n", path, what->text);
}

/* Return where the upper half of a kernel's addresses begins. */
static code_addr upper_half(const struct image *kernel)
{
	return (code_addr)1 << (8 * kernel->symbols.width - 1);
}

/*
 * Return whether an address is a kernel's: in its text, or after that if the kernel is in the
 * upper half of addresses, where no program is.
 */
static bool has_kernel_pc(const struct image *kernel, code_addr pc)
{
	if (pc < kernel->text)
		return false;
	return pc < kernel->etext || kernel->text >= upper_half(kernel);
}

/* If no kernel is known, it is where Gnomon's would be. */
bool images_kernel_pc(const struct images *images, code_addr pc)
{
	size_t i;

	for (i = 0; images && i < images->nkernel; i++)
		if (has_kernel_pc(images->kernel[i], pc))
			return true;
	if (images && images->nkernel > 0)
		return false;
	return pc >= KERNBASE;
}

const struct symbol *image_symbol(const struct image *image, code_addr pc)
{
	if (!image)
		return NULL;
	return symbols_at(&image->symbols, pc);
}

/* Return the DWARF data, read when first needed. */
static const struct lines *lines_of(struct image *image)
{
	if (!image->lines)
		image->lines = lines_load(image->symbols.elf, image->symbols.fd);
	return image->lines;
}

const char *image_source_dir(struct image *image)
{
	if (image->sources)
		return image->sources;
	return lines_of(image)->dir;
}

bool image_inlined(struct image *image, const char *name, size_t *at, struct image_range *range)
{
	const struct lines *l = lines_of(image);
	const struct line_scope *s;

	while (*at < l->nscope) {
		s = &l->scope[(*at)++];
		if (!s->inlined || s->lo < range->hi)
			continue;
		if (strcmp(s->name, name) != 0)
			continue;
		*range = (struct image_range){.lo = s->lo, .hi = s->hi};
		return true;
	}
	return false;
}

unsigned image_declared(struct image *image, code_addr pc, const char *inlined)
{
	const struct line_scope *s = lines_scope(lines_of(image), pc);

	for (; s; s = lines_parent(image->lines, s)) {
		if (s->inlined != (inlined != NULL))
			continue;
		if (!inlined || strcmp(s->name, inlined) == 0)
			return s->line;
	}
	return 0;
}

/* Return the folder that names of a unit are relative to, for which the compiler ran in `dir'. */
static const char *dir_of(const struct image *image, const char *dir)
{
	if (image->sources)
		return image->sources;
	return dir;
}

struct place image_line(struct image *image, code_addr pc)
{
	const struct symbol *symbol = image_symbol(image, pc);
	struct place place = {.function = "?"};
	const struct line_row *row;

	if (!image)
		return place;
	if (symbol)
		place.function = symbol->name;
	row = lines_row(lines_of(image), pc);
	if (row) {
		place.file = row->file;
		place.dir = dir_of(image, row->dir);
		place.line = row->line;
	}
	return place;
}

bool image_one_line(struct image *image, code_addr lo, code_addr hi)
{
	return !image || lines_one(lines_of(image), lo, hi);
}

/* From the innermost scope outwards, as long as scopes are inlined functions. */
size_t image_places(struct image *image, code_addr pc, struct place place[IMAGE_PLACES])
{
	struct place at = image_line(image, pc);
	const struct line_scope *scope = NULL;
	const char *outermost = at.function;
	size_t n = 0;

	if (image)
		scope = lines_scope(lines_of(image), pc);
	for (; scope && n < IMAGE_PLACES - 1; scope = lines_parent(image->lines, scope)) {
		if (!scope->inlined)
			break;
		at.function = scope->name;
		place[n++] = at;
		at.file = scope->call_file;
		at.dir = dir_of(image, scope->call_dir);
		at.line = scope->call_line;
	}
	at.function = outermost;
	place[n++] = at;
	return n;
}
