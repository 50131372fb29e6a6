/* Opening DWARF data that may be damaged: see dwarfdata.h. */
#include <dwarf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "tools/code/abbrevs.h"
#include "tools/code/dwarfdata.h"
#include "tools/code/strtab.h"
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/texts.h"
#include "userland/formats/le.h"

/* Bytes of the paths of all line tables, where sections have so many. */
#define JOINED_MOST(bytes) ((64u << 20) + 16 * (size_t)(bytes))

/* Bytes that all sections may take, packed and not, of a file of so many. */
#define SECTIONS_MOST(file) ((4u << 20) + 8 * (size_t)(file))

/* Bytes of sections that honest ones have at most, of a file of so many: by these others count. */
#define HONEST_MOST(file) ((1u << 20) + 4 * (size_t)(file))

/* Bytes of the abbreviations of all units, where sections have so many: several units may share. */
#define ABBREVS_MOST(bytes) ((16u << 20) + 4 * (size_t)(bytes))

#define ZEROS 16 /* after each section: the end of a string, or of any number */

/* A section with debugging information. */
struct section {
	Elf_Scn *scn;
	GElf_Shdr head;
	const char *name; /* what follows .debug_ */
	bool gnu;	  /* it is called .zdebug_, and packed as GNU's tools once did */
};

/* Return the part that a section is; NULL: it is of no interest here. */
static struct dwarfdata_part *part_of(struct dwarfdata *d, const char *name)
{
	const struct {
		const char *name;
		struct dwarfdata_part *part;
	} parts[] = {
		{"line", &d->lines},	 {"line_str", &d->paths}, {"str", &d->names},
		{"abbrev", &d->abbrevs}, {"info", &d->entries},	  {"ranges", &d->ranges},
		{"rnglists", &d->rnglists},
	};
	size_t i;

	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (strcmp(name, parts[i].name) == 0)
			return parts[i].part;
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

/* Return how many bytes a section has in memory; UINT64_MAX: that cannot be told. */
static uint64_t unpacked_size(const struct section *s)
{
	const uint8_t *at;
	Elf_Data *data;
	GElf_Chdr packed;
	uint64_t n = 0;

	if (s->head.sh_flags & SHF_COMPRESSED) {
		if (!gelf_getchdr(s->scn, &packed))
			return UINT64_MAX;
		return packed.ch_size;
	}
	if (!s->gnu)
		return 0;
	data = elf_rawdata(s->scn, NULL);
	if (!data)
		return UINT64_MAX;
	if (data->d_size < 12)
		return 0;
	/* "ZLIB", and the size, with its high byte first */
	for (at = (uint8_t *)data->d_buf + 4; at < (uint8_t *)data->d_buf + 12; at++)
		n = n << 8 | *at;
	return n;
}

/* Take some of the bytes that all sections may have together. False: there are no more. */
static bool take_bytes(struct dwarfdata *d, uint64_t n)
{
	if (n > d->left)
		return false;
	d->left -= n;
	return true;
}

/*
 * Put a copy in the place of a section's bytes. A compressed one is decompressed first. False:
 * there is one of that name already, and libdw might take either.
 */
static bool pad_section(struct dwarfdata *d, const struct section *s)
{
	struct dwarfdata_part *part = part_of(d, s->name);
	Elf_Data *data;

	if (s->head.sh_flags & SHF_COMPRESSED && elf_compress(s->scn, 0, 0) < 0)
		return true;
	if (s->gnu)
		elf_compress_gnu(s->scn, 0, 0); /* may fail, which libdw does not mind either */
	data = elf_getdata(s->scn, NULL);
	if (!data)
		return true;
	if (!data->d_buf)
		return true;
	if (part && part->at)
		return false;
	d->copy = memory_grow(d->copy, &d->room, d->n + 1, sizeof(*d->copy));
	d->bytes += data->d_size;
	d->copy[d->n] = memory_zeroed(data->d_size + ZEROS, 1);
	memcpy(d->copy[d->n], data->d_buf, data->d_size);
	data->d_buf = d->copy[d->n++];
	if (part)
		*part = (struct dwarfdata_part){data->d_buf, data->d_size, 0};
	return true;
}

/*
 * Take away the name of another file with debugging data, as dwz writes it. libdw would open it by
 * itself, whatever it is, and believe all that it has.
 */
static void forget_other(Elf_Scn *scn)
{
	Elf_Data *data = elf_getdata(scn, NULL);

	if (data)
		data->d_size = 0;
}

/* Look at a section, whose name is in section number `names`. False: it is no debugging one. */
static bool is_debug(struct section *s, Elf *elf, size_t names)
{
	const char *name;

	if (!gelf_getshdr(s->scn, &s->head))
		return false;
	if (s->head.sh_type == SHT_NOBITS)
		return false;
	name = elf_strptr(elf, names, s->head.sh_name);
	if (!name)
		return false;
	if (strcmp(name, ".gnu_debugaltlink") == 0)
		forget_other(s->scn);
	s->gnu = strncmp(name, ".zdebug_", 8) == 0;
	if (!s->gnu && strncmp(name, ".debug_", 7) != 0)
		return false;
	s->name = name + 7 + s->gnu;
	return true;
}

/*
 * Pad all sections. False: libdw must not see them. They would take far more memory than the file
 * has bytes, for several are at one place in it, or are packed too well; or there are no entries
 * in a section of the usual name, and libdw might take others that are not padded.
 */
static bool pad_sections(struct dwarfdata *d, Elf *elf, size_t names)
{
	struct section s = {.scn = NULL};

	while ((s.scn = elf_nextscn(elf, s.scn)) != NULL) {
		if (!is_debug(&s, elf, names))
			continue;
		if (!take_bytes(d, s.head.sh_size))
			return false;
		if (!take_bytes(d, unpacked_size(&s)))
			return false;
		if (!pad_section(d, &s))
			return false;
	}
	return d->entries.at;
}

/* Return the number of the section that holds the names of all; 0: none that is sound. */
static size_t find_names(Elf *elf)
{
	size_t names;

	if (elf_getshdrstrndx(elf, &names) < 0)
		return 0;
	if (!strtab_sound(elf, names))
		return 0;
	return names;
}

void dwarfdata_open(struct dwarfdata *d, Elf *elf, int fd)
{
	size_t names = find_names(elf);
	struct stat st;

	*d = (struct dwarfdata){.n = 0};
	if (names == 0)
		return;
	if (fstat(fd, &st) < 0)
		return;
	d->left = SECTIONS_MOST(st.st_size);
	if (!pad_sections(d, elf, names))
		return;
	d->bytes = order_min(d->bytes, HONEST_MOST(st.st_size));
	d->paths.longest = cut_strings(d->paths.at, d->paths.n);
	d->names.longest = cut_strings(d->names.at, d->names.n);
	check_lines(d);
	d->dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	if (abbrevs_sound(d->dwarf, d->abbrevs.at, d->abbrevs.n, ABBREVS_MOST(d->bytes)))
		return;
	dwarf_end(d->dwarf);
	d->dwarf = NULL;
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

/* Go on to the next entry by asking libdw, which tells where the list ends if there is none. */
static bool ask_next(Dwarf_Die *die, const uint8_t **below)
{
	Dwarf_Off was = dwarf_dieoffset(die);
	Dwarf_Die next = {.addr = NULL};
	int last = dwarf_siblingof(die, &next);

	*below = NULL;
	if (last > 0)
		*below = next.addr;
	*die = next;
	return last == 0 && dwarf_dieoffset(die) > was;
}

bool dwarfdata_next_after(Dwarf_Die *die, const uint8_t **below, Dwarf_Off end)
{
	const uint8_t *next = *below;
	Dwarf_Off at;

	if (!next)
		return ask_next(die, below);
	next++;
	at = dwarf_dieoffset(die) + (Dwarf_Off)(next - (const uint8_t *)die->addr);
	*below = NULL;
	if (at >= end)
		return false;
	if (*next == 0) {
		*below = next;
		return false;
	}
	return dwarf_offdie(dwarf_cu_getdwarf(die->cu), at, die);
}
