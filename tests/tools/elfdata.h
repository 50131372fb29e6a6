/* Small ELF files for the tests: symbols without code. */
#ifndef TESTS_ELFDATA_H
#define TESTS_ELFDATA_H

#include <stddef.h>
#include <stdint.h>

struct elfdata_symbol {
	const char *name;
	uint32_t value, size;
	char kind; /* F global function, f local one, n global of no type, u undefined, s file */
};

/*
 * Make a 32-bit ELF file at path with a symbol table of these (none at all when
 * sym is NULL) and, unless it is NULL, a build id of 20 bytes.
 */
void elfdata_write(const char *path, const struct elfdata_symbol *sym, size_t n,
		   const uint8_t *buildid);

#endif
