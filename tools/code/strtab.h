/* String tables of ELF files, which somebody may have damaged, or made to do harm. */
#ifndef TOOLS_CODE_STRTAB_H
#define TOOLS_CODE_STRTAB_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Return whether section number n can be given to elf_strptr(3): it is there, is not packed, which
 * nobody does but to do harm, and its last string ends. Where that does not, libelf looks through
 * the whole table for each name that it is asked for.
 */
bool strtab_sound(Elf *elf, size_t n);

#endif
