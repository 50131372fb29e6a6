/* Where the code of an ELF file ends: of its sections, in which it may have very many. */
#ifndef TOOLS_CODE_CODEENDS_H
#define TOOLS_CODE_CODEENDS_H

#include <stddef.h>
#include "tools/code/addr.h"

/* Addresses whose code ends at one place. All zero: there is no code. */
struct codeends {
	struct codeend {
		code_addr lo, hi; /* half-open */
		code_addr end;	  /* of the section; of several, as in object files, of the first */
	} *part; /* ascending, not in each other */
	size_t n, room;
};

/* Read the heads of the sections of an ELF file; NULL is a file without any. */
void codeends_read(struct codeends *c, void *elf);

/* Return where the code ends that an address is in; UINT64_MAX: there is none. */
code_addr codeends_find(const struct codeends *c, code_addr pc);

void codeends_free(struct codeends *c);

#endif
