/* The sections of an ELF file that are code, and the bytes at an address. */
#ifndef TOOLS_CODE_SECTIONS_H
#define TOOLS_CODE_SECTIONS_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* By address. No two have an address in common: of those that do, the first one counts. */
struct sections {
	struct section {
		uint64_t lo, hi; /* half-open; none is empty */
		const uint8_t *bytes;
	} *section;
	size_t n, room;
	bool overlap; /* as sections_overlap() says; then none is kept */
};

/* Return whether a section's head can be read, and says that its code is in the file. */
bool sections_is_code(Elf_Scn *section, GElf_Shdr *head);

/*
 * Return whether sections of code or of notes lie one over the other in the file. Their contents,
 * which are kept each once it was read, may have many times as many bytes as the file then.
 */
bool sections_overlap(Elf *elf);

/* Read them from a file, which must stay open. Never NULL. sections_free() takes NULL, too. */
struct sections *sections_load(Elf *elf);
void sections_free(struct sections *s);

/* Return the bytes of [lo, hi) in the file, or NULL: they are not all in one section. */
const uint8_t *sections_bytes(const struct sections *s, uint64_t lo, uint64_t hi);

#endif
