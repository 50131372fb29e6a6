/* Opening DWARF data that may be damaged: see dwarfdata.h. */
#include <dwarf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include "tools/code/dwarfdata.h"
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/texts.h"
#include "userland/formats/le.h"

/* Bytes of the paths of all line tables, of a file of so many. */
#define JOINED_MOST(bytes) ((64u << 20) + 64 * (size_t)(bytes))

#define ZEROS 16 /* after each section: the end of a string, or of any number */

/* Return the part that a section is; NULL: it is of no interest here. */
static struct dwarfdata_part *part_of(struct dwarfdata *d, const char *section)
{
	if (strcmp(section, ".debug_line") == 0)
		return &d->lines;
	if (strcmp(section, ".debug_line_str") == 0)
		return &d->paths;
	if (strcmp(section, ".debug_str") == 0)
		return &d->names;
	return NULL;
}

/* Cut each string that is too long into several, and return the length of the longest. */
static size_t cut_strings(uint8_t *at, size_t n)
{
	size_t i, length = 0, longest = 0;

	for (i = 0; i < n; i++) {
		if (length == TEXTS_NAME)
			at[i] = 0;
		length = at[i] ? length + 1 : 0;
		if (length > longest)
			longest = length;
	}
	return longest;
}

/*
 * Return how many bytes all paths of a line table may have, whose header, from where its lists
 * begin, has n bytes: libdw joins a folder and a name for each file, which has two bytes or
 * more.
 */
static size_t joined(const struct dwarfdata *d, uint8_t *lists, size_t n, unsigned version)
{
	size_t longest = cut_strings(lists, n), i;

	if (version < 5)
		return n / 2 * (longest + 1);
	longest = order_max(longest, d->paths.longest);
	/* The forms of a folder: a number of pairs of a type and a form, small numbers all. */
	for (i = 0; 2 * i + 2 < n; i++) {
		if (i == lists[0])
			break;
		if (lists[2 * i + 2] == DW_FORM_strp)
			longest = order_max(longest, d->names.longest);
	}
	return n / 2 * (longest + 1);
}

/* A line table's header, as far as it matters here. */
struct line_head {
	size_t size;	   /* of the table */
	size_t at;	   /* where its version is */
	size_t lists, end; /* where folders and files begin in it, and where they end */
	unsigned version;
};

/* Read the header of a table of at most n bytes (DWARF 5, 6.2.4). False: it is none. */
static bool read_head(const uint8_t *at, size_t n, struct line_head *h)
{
	size_t length, wide = 4, i = 4;

	if (n < 32)
		return false;
	length = le_get32(at);
	if (length == UINT32_MAX) {
		length = le_get64(at + 4);
		wide = 8;
		i = 12;
	}
	if (length > n - i)
		return false;
	h->size = i + length;
	h->at = i;
	h->version = le_get16(at + i);
	i += 2 + 2 * (h->version >= 5);
	length = le_get_word(at + i, (unsigned)wide);
	i += wide;
	if (length > h->size - order_min(i, h->size))
		return false;
	h->end = i + length;
	i += 4 + (h->version >= 4); /* to the number of opcodes, of which each but one has a byte */
	h->lists = i;
	if (i < h->end)
		h->lists += at[i] + !at[i];
	h->lists = order_min(h->lists, h->end);
	return true;
}

/* Have libdw refuse line tables whose paths would take far more memory than the file has bytes. */
static void check_lines(struct dwarfdata *d)
{
	size_t at = 0, sum = 0;
	struct line_head h;

	while (read_head(d->lines.at + at, d->lines.n - at, &h)) {
		uint8_t *table = d->lines.at + at;

		sum += joined(d, table + h.lists, h.end - h.lists, h.version);
		if (sum > JOINED_MOST(d->bytes))
			memset(table + h.at, 0xff, 2); /* no version of DWARF */
		at += h.size;
	}
}

/* Return whether a section has far more bytes than it takes in the file. */
static bool is_bomb(Elf_Scn *section, const GElf_Shdr *head)
{
	GElf_Chdr packed;

	if (!(head->sh_flags & SHF_COMPRESSED))
		return false;
	if (!gelf_getchdr(section, &packed))
		return true;
	return packed.ch_size > (16u << 20) + 32 * head->sh_size;
}

/* Put a copy in the place of a section's bytes. A compressed one is decompressed first. */
static void pad_section(struct dwarfdata *d, Elf_Scn *section, const GElf_Shdr *head,
			const char *name)
{
	struct dwarfdata_part *part = part_of(d, name);
	Elf_Data *data;

	if (head->sh_flags & SHF_COMPRESSED && elf_compress(section, 0, 0) < 0)
		return;
	data = elf_getdata(section, NULL);
	if (!data)
		return;
	if (!data->d_buf)
		return;
	d->copy = memory_grow(d->copy, &d->room, d->n + 1, sizeof(*d->copy));
	d->bytes += data->d_size;
	d->copy[d->n] = memory_zeroed(data->d_size + ZEROS, 1);
	memcpy(d->copy[d->n], data->d_buf, data->d_size);
	data->d_buf = d->copy[d->n++];
	if (part)
		*part = (struct dwarfdata_part){data->d_buf, data->d_size, 0};
}

void dwarfdata_open(struct dwarfdata *d, Elf *elf)
{
	Elf_Scn *section = NULL;
	size_t names;
	GElf_Shdr head;

	*d = (struct dwarfdata){.n = 0};
	if (elf_getshdrstrndx(elf, &names) < 0)
		return;
	while ((section = elf_nextscn(elf, section)) != NULL) {
		const char *name;

		if (!gelf_getshdr(section, &head))
			continue;
		if (head.sh_type == SHT_NOBITS)
			continue;
		name = elf_strptr(elf, names, head.sh_name);
		if (!name)
			continue;
		if (strncmp(name, ".debug_", 7) != 0)
			continue;
		if (is_bomb(section, &head))
			return; /* libdw would unpack it */
		pad_section(d, section, &head, name);
	}
	d->paths.longest = cut_strings(d->paths.at, d->paths.n);
	d->names.longest = cut_strings(d->names.at, d->names.n);
	check_lines(d);
	d->dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
}

void dwarfdata_close(struct dwarfdata *d)
{
	dwarf_end(d->dwarf);
	while (d->n > 0)
		free(d->copy[--d->n]);
	free(d->copy);
}

/* An entry says where the next one is, which libdw believes even if that is before it. */
bool dwarfdata_next(Dwarf_Die *die)
{
	Dwarf_Off was = dwarf_dieoffset(die);

	return dwarf_siblingof(die, die) == 0 && dwarf_dieoffset(die) > was;
}
