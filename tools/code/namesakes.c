/* Functions of one name in one program, told apart: see namesakes.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "tools/code/dwarfdata.h"
#include "tools/code/namesakes.h"
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/printable.h"

/* A function that is not the only one of its name, or not yet known to be. */
struct namesake {
	struct symbol *symbol;
	const char *file; /* of its source; NULL: unknown */
	bool open;	  /* it is not known, or another one has that name and file, too */
};

/* Return whether two functions have one name. */
static bool same_name(const struct namesake *a, const struct namesake *b)
{
	return strcmp(a->symbol->plain, b->symbol->plain) == 0;
}

/* For qsort: files, those that are not known first. */
static int compare_files(const char *a, const char *b)
{
	if (a && b)
		return strcmp(a, b);
	return order(a != NULL, b != NULL);
}

/* For qsort: by name, then by file, then by address. */
static int compare_namesakes(const void *va, const void *vb)
{
	const struct namesake *a = va, *b = vb;
	int by = strcmp(a->symbol->plain, b->symbol->plain);

	if (by == 0)
		by = compare_files(a->file, b->file);
	if (by == 0)
		by = order(a->symbol->start, b->symbol->start);
	return by;
}

/* Sort them, and see which files do not tell them apart. Return whether there are some. */
static bool find_open(struct namesake *a, size_t n)
{
	bool open = false;
	size_t i;

	qsort(a, n, sizeof(*a), compare_namesakes);
	for (i = 0; i < n; i++)
		a[i].open = !a[i].file;
	for (i = 1; i < n; i++)
		if (same_name(&a[i - 1], &a[i]) && compare_files(a[i - 1].file, a[i].file) == 0)
			a[i - 1].open = a[i].open = true;
	for (i = 0; i < n; i++)
		open |= a[i].open;
	return open;
}

/* Leave only those, of all in order, that have the name of the one before or after. */
static size_t drop_unique(struct namesake *a, size_t n)
{
	bool last = false, next;
	size_t i, kept = 0;

	for (i = 0; i < n; i++) {
		next = i + 1 < n && same_name(&a[i], &a[i + 1]);
		if (last | next)
			a[kept++] = a[i];
		last = next;
	}
	return kept;
}

/* Return a path, with `base' its last part; NULL: there is none, or it has no sound length. */
static const char *sound_file(const char *path, bool base)
{
	const char *slash;

	if (!path)
		return NULL;
	if (strnlen(path, TEXTS_NAME) == TEXTS_NAME)
		return NULL;
	slash = strrchr(path, '/');
	if (slash && base)
		path = slash + 1;
	if (!*path)
		return NULL;
	return path;
}

/* Return the path of the source file with an address, as the compiler was given it; or NULL. */
static const char *unit_path(Dwarf *dwarf, code_addr pc)
{
	Dwarf_Die unit;

	if (!dwarf)
		return NULL;
	if (!dwarf_addrdie(dwarf, pc, &unit))
		return NULL;
	return dwarf_diename(&unit);
}

/* Ask the DWARF data for files that are not known, or for the whole paths of those that are. */
static void ask_dwarf(struct namesake *a, size_t n, Dwarf *dwarf)
{
	const char *path;
	size_t i;

	for (i = 0; i < n; i++) {
		if (!a[i].open)
			continue;
		path = sound_file(unit_path(dwarf, a[i].symbol->start), !a[i].file);
		if (path)
			a[i].file = path;
	}
}

/* Return the name of one, as it is shown; the caller frees it. */
static char *name_of(const struct namesake *a)
{
	char *name, *shown;

	if (a->open)
		name = memory_format("%s (0x%" PRIx64 ")", a->symbol->plain,
				     (uint64_t)a->symbol->start);
	else
		name = memory_format("%s (%s)", a->symbol->plain, a->file);
	shown = printable(name);
	free(name);
	return shown;
}

/* Give each its name, as long as those of a damaged file do not fill the memory. */
static void give_names(struct symbols *s, const struct namesake *a, size_t n)
{
	size_t i, number, made = 0;
	char *name;

	for (i = 0; i < n; i++) {
		name = name_of(&a[i]);
		made += strlen(name);
		number = texts_number(&s->shown, name, strlen(name));
		free(name);
		a[i].symbol->name = s->shown.text[number].text;
		if (s->shown.most && made > s->shown.most)
			return;
	}
}

/*
 * Find the files of all and give them their names. DWARF data are asked twice: a file that was not
 * known at first may be called as another one. They are those of an ELF file of its own, for
 * dwarfdata_open() takes the place of the sections.
 */
static void part(struct symbols *s, struct namesake *a, size_t n)
{
	struct dwarfdata d = {.n = 0};
	bool open = find_open(a, n);
	Elf *elf = NULL;

	if (open && s->elf)
		elf = elf_begin(s->fd, ELF_C_READ, NULL);
	if (elf) {
		dwarfdata_open(&d, elf, s->fd);
		ask_dwarf(a, n, d.dwarf);
		if (find_open(a, n))
			ask_dwarf(a, n, d.dwarf);
		find_open(a, n);
	}
	give_names(s, a, n);
	dwarfdata_close(&d);
	elf_end(elf);
}

void namesakes_part(struct symbols *s)
{
	struct namesake *a = memory_zeroed(s->n, sizeof(*a));
	size_t i, n;

	for (i = 0; i < s->n; i++) {
		a[i].symbol = &s->sym[i];
		a[i].file = sound_file(s->sym[i].file, true);
	}
	qsort(a, s->n, sizeof(*a), compare_namesakes);
	n = drop_unique(a, s->n);
	if (n)
		part(s, a, n);
	free(a);
}
