/* Disassembling machine code. */
#ifndef TOOLS_CODE_DISASM_H
#define TOOLS_CODE_DISASM_H

#include <stddef.h>
#include <stdint.h>
#include "tools/complaint.h"
#include "tools/code/image.h"

struct instruction {
	uint32_t pc;
	uint8_t size;	/* bytes; 1 for a byte that is no instruction */
	char text[196]; /* operands follow a blank; addresses as 0x... */
};

/*
 * Disassemble the code of an image from lo up to hi: *n instructions, which the caller frees.
 * Return NULL and *why on failure: the file has no code there.
 */
struct instruction *disasm(const struct image *image, uint32_t lo, uint32_t hi, size_t *n,
			   struct complaint *why);

#endif
