/* The kernel that gnomon record looks at: where its text is. */
#ifndef TOOLS_RECORD_KERNEL_H
#define TOOLS_RECORD_KERNEL_H

#include <stdio.h>
#include "tools/code/symbols.h"

struct kernel {
	char *path;	  /* absolute */
	code_addr lo, hi; /* its text, half-open */
	code_addr offset; /* by which it runs above the addresses of its file */
	unsigned width;	  /* bytes of an address */
	char buildid[41]; /* empty: it has none */
};

/* Return where it runs what its file has at an address; and the other way round. */
uint64_t kernel_runs(const struct kernel *k, code_addr at);
code_addr kernel_file(const struct kernel *k, uint64_t at);

/* Find the address that a symbol or a hexadecimal number, 0x..., names. 0, or -1 and *why. */
int kernel_address(const struct kernel *k, const char *name, code_addr *address,
		   struct complaint *why);

/*
 * Print a line "function ADDRESS" for each function whose name is one of the patterns, which have
 * commas between them: where it runs. 0, or -1 and *why: there is none.
 */
int kernel_print(const struct kernel *k, const char *patterns, FILE *to, struct complaint *why);

/* Print lines "code ADDRESS BYTES" of its functions, or some of them. 0, or -1 and *why. */
int kernel_print_code(const struct kernel *k, FILE *to, struct complaint *why);

/* Read an ELF file, or symbols as nm prints them. 0, or -1 and *why; the caller frees path. */
int kernel_read(struct kernel *k, const char *path, struct complaint *why);

#endif
