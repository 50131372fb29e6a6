/* Opening DWARF data that may be damaged: see dwarfdata.h. */
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include "tools/code/dwarfdata.h"
#include "tools/memory.h"

#define ZEROS 16 /* after each section: the end of a string, or of any number */

/* Put a copy in the place of a section's bytes. A compressed one is decompressed first. */
static void pad_section(struct dwarfdata *d, Elf_Scn *section, const GElf_Shdr *head)
{
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
		if (name && strncmp(name, ".debug_", 7) == 0)
			pad_section(d, section, &head);
	}
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
