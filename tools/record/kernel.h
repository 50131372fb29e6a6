/*
 * The kernel that gnomon record looks at: where its text is, and where its functions are. It may be
 * any that QEMU boots, Linux as well as Gnomon. Whether it runs where its file has it is not known
 * here: the plugin finds that out (plugin/moved.h), unless the user has told.
 */
#ifndef TOOLS_RECORD_KERNEL_H
#define TOOLS_RECORD_KERNEL_H

#include <stdio.h>
#include "tools/code/symbols.h"

struct kernel {
	char *path;	  /* absolute */
	code_addr lo, hi; /* its text as the file has it, half-open */
	code_addr offset; /* by which it runs above the addresses of its file */
	unsigned width;	  /* bytes of an address */
	char buildid[41]; /* empty: it has none */
};

/* Return where it runs what its file has at an address; and the other way round. */
uint64_t kernel_runs(const struct kernel *k, code_addr at);
code_addr kernel_file(const struct kernel *k, uint64_t at);

/*
 * Find the address that a symbol or a hexadecimal number, 0x..., names: as the file has it, not
 * where it runs. 0, or -1 and *why: there is no such function, or there are several, which the
 * message tells apart.
 */
int kernel_address(const struct kernel *k, const char *name, code_addr *address,
		   struct complaint *why);

/*
 * Print a line "function ADDRESS" for each function whose name is one of the patterns of
 * fnmatch(3), which have commas between them: where it runs, hexadecimal. 0, or -1 and *why: there
 * is none.
 */
int kernel_print(const struct kernel *k, const char *patterns, FILE *to, struct complaint *why);

/*
 * Print lines "code ADDRESS BYTES" with the first 16 bytes of its functions, by which the plugin
 * knows them again elsewhere; of more than 10,000 functions those of some are enough. Where the
 * file has no code, as System.map, nothing is printed, which is no error. 0, or -1 and *why.
 */
int kernel_print_code(const struct kernel *k, FILE *to, struct complaint *why);

/*
 * Read an ELF file, or symbols as nm prints them. The text is what lies from ktzero to etext if
 * there are such symbols. Else it is the segment with code that has most functions, and what other
 * segments with code are within 1 GiB of it. 0, or -1 and *why; the caller frees path, after
 * success only.
 */
int kernel_read(struct kernel *k, const char *path, struct complaint *why);

#endif
