/* Where the numbers of an ELF file are: for the harnesses whose input is one. */
#ifndef TESTS_FUZZ_ELFFIELDS_H
#define TESTS_FUZZ_ELFFIELDS_H

#include "tests/fuzz/fuzz.h"

/*
 * Note the fields of the header, the program headers and the section headers, of 32 or 64 bits;
 * and of the sections that hold symbols or DWARF data some places, other ones for each input.
 */
void elf_fields(struct fuzz_fields *f, const uint8_t *data, size_t n);

#endif
