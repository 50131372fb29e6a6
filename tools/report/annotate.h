/*
 * A function instruction by instruction, with counts, and the source line of each: for --annotate,
 * the page, and gnomon top. The text of the source is not read here (tools/code/source.h).
 */
#ifndef TOOLS_REPORT_ANNOTATE_H
#define TOOLS_REPORT_ANNOTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/code/disasm.h"
#include "tools/code/image.h"
#include "tools/complaint.h"
#include "tools/profile/coverage.h"

/* An instruction with its count, and where in the source it comes from. */
struct annotated {
	struct instruction insn;
	uint64_t count;
	unsigned line; /* in the function's own file, of the call if it was inlined; 0: unknown */
	struct place innermost; /* of the function inlined into this one, if it is of one */
	bool inlined;
	bool shared; /* some of the count may be of the instructions that follow */
};

struct annotation {
	struct image *elf;
	const char *function;	/* its name */
	bool inlined;		/* it stands for its code within other functions */
	struct annotated *code; /* by address */
	size_t n, room;
	struct annotated_line {
		unsigned line;
		unsigned code; /* the index of an instruction of that line */
	} *by_line; /* n of them, ascending */
	const char *file;     /* its own; NULL: unknown */
	const char *dir;      /* where the compiler ran for it; or NULL */
	const char *only;     /* other files have other functions of its name; NULL: none has */
	unsigned first, last; /* the range of its lines that have code; 0: none has */
	unsigned begin; /* the first line to show: that of its name, if it is not far from these */
	uint64_t total;	      /* of all counts */
	uint64_t before;      /* count of a bucket that begins in the function before this one */
};

/*
 * Annotate a function of an image with the image's counts. Return 0, or -1 and *why: its code
 * cannot be read. The caller ends with annotation_free(), after success only.
 */
int annotation_make(struct annotation *a, struct image *elf, const struct symbol *symbol,
		    const struct counts *c, struct complaint *why);

/*
 * The same for all the code of an inlined function, wherever it is in the image; unless
 * `file` is NULL, of the one that is in this file. -1, too: there is none of that name.
 */
int annotation_inlined(struct annotation *a, struct image *elf, const char *name, const char *file,
		       const struct counts *c, struct complaint *why);

/*
 * Return whether some of the count of the i-th instruction may be of instructions of other lines:
 * of those that follow it.
 */
bool annotation_leaves(const struct annotation *a, size_t i);

/* What was counted on a line of a function. */
struct line_counted {
	size_t instructions, run; /* but for padding that did not run; and those that ran */
	size_t own;    /* those that are not from functions inlined there */
	uint64_t runs; /* the highest count of one of these */
	uint64_t count;
	bool shared;   /* some of the count may be of other lines */
};

/* Add up what was counted on a line; 0 has the instructions whose line is not known. */
struct line_counted annotation_line(const struct annotation *a, unsigned line);

/*
 * The instructions of a line are code[by_line[k].code], for each k from that of annotation_first()
 * on for which annotation_is() is true. Line 0 has those whose line is not known.
 */
size_t annotation_first(const struct annotation *a, unsigned line);

static inline bool annotation_is(const struct annotation *a, size_t k, unsigned line)
{
	return k < a->n && a->by_line[k].line == line;
}

/*
 * Return the line to show after `line`, 0 if that was the last one: each line up to the function's
 * last, but beyond the `n` lines of the source only those with code. A damaged line table can name
 * any line.
 */
unsigned annotation_next(const struct annotation *a, unsigned line, size_t n);

/* Leave out the instructions that come from functions inlined into this one, and their counts. */
void annotation_own(struct annotation *a);
void annotation_free(struct annotation *a);

#endif
