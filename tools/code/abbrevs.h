/*
 * The abbreviations of DWARF data (DWARF 5, section 7.5.3): each tells what attributes the entries
 * of one kind have. Whenever libdw looks for one it goes through all of them, even those that take
 * no byte of an entry; and it reads the abbreviations of each unit, even if several share them.
 */
#ifndef TOOLS_CODE_ABBREVS_H
#define TOOLS_CODE_ABBREVS_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Return whether no abbreviation, of the n bytes of them all, has more attributes than compilers
 * make, and those of all units have at most `most' bytes together.
 */
bool abbrevs_sound(Dwarf *dwarf, const uint8_t *bytes, size_t n, size_t most);

#endif
