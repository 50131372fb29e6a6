/* Opening DWARF data that may be damaged. */
#ifndef TOOLS_CODE_DWARFDATA_H
#define TOOLS_CODE_DWARFDATA_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>

struct dwarfdata {
	Dwarf *dwarf; /* NULL: there are no data that can be read */
	void **copy; /* of the sections */
	size_t n, room;
	size_t bytes; /* of them all */
};

/*
 * Open the DWARF data of an ELF file, which must last. libdw believes that every string in them
 * ends, and every number is there; so it gets copies of the sections, with zeros after each.
 */
void dwarfdata_open(struct dwarfdata *d, Elf *elf);
void dwarfdata_close(struct dwarfdata *d);

/* Go on to the next entry of the same parent. False: this was the last, or they go in circles. */
bool dwarfdata_next(Dwarf_Die *die);

#endif
