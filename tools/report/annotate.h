/* A function taken apart: its instructions with their counts, and the lines they are for. */
#ifndef TOOLS_REPORT_ANNOTATE_H
#define TOOLS_REPORT_ANNOTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/complaint.h"
#include "tools/profile/coverage.h"
#include "tools/code/disasm.h"
#include "tools/code/image.h"

/* An instruction with its count, and the line of the function that it is for. */
struct annotated {
	struct instruction insn;
	uint64_t count;
	unsigned line; /* in the function's own file; 0: unknown */
	struct place innermost;
	bool inlined;
};

struct annotation {
	struct image *elf;
	const struct symbol *symbol;
	struct annotated *code;
	size_t n;
	const char *file;     /* its own; NULL: unknown */
	unsigned first, last; /* lines with code */
	uint64_t total;
};

/*
 * Annotate a function of an image with the image's counts. 0, or -1 and why: its code cannot
 * be read. annotation_free() is due after success only.
 */
int annotation_make(struct annotation *a, struct image *elf, const struct symbol *symbol,
		    const struct counts *c, struct complaint *why);
void annotation_free(struct annotation *a);

#endif
