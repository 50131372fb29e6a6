/*
 * Where the instructions of a file's functions are, without their text. A file is kept with what is
 * known of it: very many programs of a profile may have the same one.
 */
#ifndef TOOLS_CODE_OUTLINE_H
#define TOOLS_CODE_OUTLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/code/image.h"

/* An instruction. */
struct outline_instruction {
	code_addr pc;
	uint8_t size; /* bytes */
	bool fill;    /* it only fills a gap: disasm_is_fill() */
};

/* A function. It ends where the next one begins. */
struct outline {
	bool known;
	struct outline_instruction *at; /* by address; NULL: there is no code, see disasm() */
	size_t n;
	size_t instructions; /* that may run: but for fill, in which only a kernel counts calls */
};

/* Return that of one of an image's symbols; it lasts as long as the image. */
const struct outline *outline_of(struct image *image, const struct symbol *symbol);

/* Return how many instructions of all functions of an image may run. */
size_t outline_instructions(struct image *image);

/* Return the instruction of a function that an address is in; NULL: there is none. */
const struct outline_instruction *outline_find(const struct outline *o, code_addr pc);

/* Free all of an image; it may be NULL. */
struct outlines;
void outline_free(struct outlines *all, size_t n);

#endif
