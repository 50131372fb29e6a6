/*
 * Opening DWARF data that may be damaged, or made to do harm: ELF files come with profiles from
 * elsewhere. libdw is given data that cannot lead it out of its memory, or round in circles; other
 * nonsense it finds itself.
 */
#ifndef TOOLS_CODE_DWARFDATA_H
#define TOOLS_CODE_DWARFDATA_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>

/* All of it lasts until dwarfdata_close(), and so do strings that libdw has returned. */
struct dwarfdata {
	Dwarf *dwarf; /* NULL: there are no data that can be read */
	void **copy; /* of the sections */
	size_t n, room;
	size_t bytes; /* of them all; no more than an honest file of its size has */
	size_t left;  /* what further sections may take */
	/*
	 * Of the copies, those with line tables, and the strings of these and of all others, with
	 * abbreviations, with the entries that have them, and with lists of ranges, old and new.
	 */
	struct dwarfdata_part {
		uint8_t *at;
		size_t n;
		size_t longest; /* of the strings */
	} lines, paths, names, abbrevs, entries, ranges, rnglists;
};

/*
 * Open the DWARF data of an ELF file, which must last, and is open as `fd', too. libdw believes
 * that every string in them ends, and every number is there; so it gets copies of the sections,
 * with zeros after each.
 */
void dwarfdata_open(struct dwarfdata *d, Elf *elf, int fd);
void dwarfdata_close(struct dwarfdata *d);

/* Go on to the next entry of the same parent. False: this was the last, or they go in circles. */
bool dwarfdata_next(Dwarf_Die *die);

/*
 * The same, in a walk that knows where the entries below this one end, at a byte of 0: to find the
 * next one libdw would go through all of these again. *below is NULL where that is not known, and
 * at last is the end of this entry's own list; then NULL: the unit, up to `end', is over.
 */
bool dwarfdata_next_after(Dwarf_Die *die, const uint8_t **below, Dwarf_Off end);

#endif
