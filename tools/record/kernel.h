/* The kernel that gnomon record looks at: where its text is. */
#ifndef TOOLS_RECORD_KERNEL_H
#define TOOLS_RECORD_KERNEL_H

#include "tools/code/symbols.h"

struct kernel {
	char *path;	  /* absolute */
	code_addr lo, hi; /* its text, half-open */
	unsigned width;	  /* bytes of an address */
	char buildid[41]; /* empty: it has none */
};

/* Find the address that a symbol or a hexadecimal number, 0x..., names. 0, or -1 and *why. */
int kernel_address(const struct kernel *k, const char *name, code_addr *address,
		   struct complaint *why);

/* Read an ELF file. 0, or -1 and *why; the caller frees path. */
int kernel_read(struct kernel *k, const char *path, struct complaint *why);

#endif
