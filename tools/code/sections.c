/* The code of an ELF file: see sections.h. */
#include <stdlib.h>
#include "tools/code/sections.h"
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/sorted.h"

bool sections_is_code(Elf_Scn *section, GElf_Shdr *head)
{
	if (!gelf_getshdr(section, head))
		return false;
	return head->sh_flags & SHF_EXECINSTR && head->sh_type != SHT_NOBITS;
}

/* Where a section lies in the file. */
struct extent {
	uint64_t at, n;
};

/* For qsort: by place. */
static int compare_extents(const void *va, const void *vb)
{
	const struct extent *a = va, *b = vb;

	return order(a->at, b->at);
}

/* Return whether the content of a section is read: code, or notes, among which is the build id. */
static bool is_read(Elf_Scn *section, GElf_Shdr *head)
{
	if (sections_is_code(section, head))
		return head->sh_size > 0;
	return gelf_getshdr(section, head) && head->sh_type == SHT_NOTE && head->sh_size > 0;
}

bool sections_overlap(Elf *elf)
{
	struct extent *extent = NULL;
	size_t n = 0, room = 0, i;
	Elf_Scn *section = NULL;
	bool overlap = false;
	GElf_Shdr head;

	while ((section = elf_nextscn(elf, section)) != NULL) {
		if (!is_read(section, &head))
			continue;
		extent = memory_grow(extent, &room, n + 1, sizeof(*extent));
		extent[n++] = (struct extent){head.sh_offset, head.sh_size};
	}
	if (n > 0)
		qsort(extent, n, sizeof(*extent), compare_extents);
	for (i = 1; i < n && !overlap; i++)
		overlap = extent[i].at - extent[i - 1].at < extent[i - 1].n;
	free(extent);
	return overlap;
}

/* Add a section. */
static void add(struct sections *s, Elf_Scn *section, uint64_t lo)
{
	const Elf_Data *data = elf_getdata(section, NULL);

	if (!data || !data->d_buf || data->d_size == 0)
		return;
	if (data->d_size > UINT64_MAX - lo)
		return;
	s->section = memory_grow(s->section, &s->room, s->n + 1, sizeof(*s->section));
	s->section[s->n++] = (struct section){lo, lo + data->d_size, data->d_buf};
}

/* For qsort: by address; those that begin at the same one by what they have in the file. */
static int compare(const void *va, const void *vb)
{
	const struct section *a = va, *b = vb;

	if (a->lo != b->lo)
		return order(a->lo, b->lo);
	return order((uintptr_t)a->bytes, (uintptr_t)b->bytes);
}

/* Keep of those that overlap the first one alone. */
static void drop_overlapping(struct sections *s)
{
	size_t i, n = 0;

	for (i = 0; i < s->n; i++)
		if (n == 0 || s->section[i].lo >= s->section[n - 1].hi)
			s->section[n++] = s->section[i];
	s->n = n;
}

struct sections *sections_load(Elf *elf)
{
	struct sections *s = memory_zeroed(1, sizeof(*s));
	Elf_Scn *section = NULL;
	GElf_Shdr head;

	s->overlap = sections_overlap(elf);
	while (!s->overlap && (section = elf_nextscn(elf, section)) != NULL)
		if (sections_is_code(section, &head) && head.sh_type == SHT_PROGBITS)
			add(s, section, head.sh_addr);
	if (s->n)
		qsort(s->section, s->n, sizeof(*s->section), compare);
	drop_overlapping(s);
	return s;
}

void sections_free(struct sections *s)
{
	if (!s)
		return;
	free(s->section);
	free(s);
}

const uint8_t *sections_bytes(const struct sections *s, uint64_t lo, uint64_t hi)
{
	size_t below = sorted_below(s->section, s->n, sizeof(*s->section), lo + 1);
	const struct section *at;

	if (below == 0 || lo >= hi)
		return NULL;
	at = &s->section[below - 1];
	if (hi > at->hi)
		return NULL;
	return at->bytes + (lo - at->lo);
}
