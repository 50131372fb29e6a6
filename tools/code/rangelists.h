/*
 * How long lists of ranges of addresses are (DWARF 4, section 2.17.3; DWARF 5, sections 2.17.3 and
 * 7.25). libdw passes over ranges that are empty and does not tell how many they were; and very
 * many entries may have one list.
 */
#ifndef TOOLS_CODE_RANGELISTS_H
#define TOOLS_CODE_RANGELISTS_H

#include <elfutils/libdw.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes of .debug_ranges, and those of .debug_rnglists, which DWARF 5 has. */
struct rangelists {
	const uint8_t *old, *new;
	size_t nold, nnew;
};

/* Return how many bytes an entry's list has; 0: it has none. */
size_t rangelists_size(const struct rangelists *r, Dwarf_Die *die);

#endif
