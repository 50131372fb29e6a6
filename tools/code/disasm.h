/*
 * Disassembling machine code of an image, as text for people. x86, ARM and AArch64 are shown by
 * capstone, the first in Intel's syntax; RISC-V by the machine's objdump, if it is installed
 * (objdump.h).
 */
#ifndef TOOLS_CODE_DISASM_H
#define TOOLS_CODE_DISASM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/complaint.h"
#include "tools/code/image.h"

#define DISASM_MOST 500000 /* instructions that a function may have to be shown */

struct instruction {
	code_addr pc;
	uint8_t size;	/* bytes, also of a number that is no instruction */
	char text[196]; /* the mnemonic; operands follow a blank, and of a jump "<FUNCTION+0x10>" */
};

/*
 * Disassemble the code of an image from lo up to hi, of the machine that its ELF header names: *n
 * instructions, which the caller frees. Return NULL and *why on failure: the file has no code
 * there, or of a machine that is not known, or more of it than DISASM_MOST instructions.
 */
struct instruction *disasm(struct image *image, code_addr lo, code_addr hi, size_t *n,
			   struct complaint *why);

/* Return whether assemblers fill gaps with an instruction; such a gap need not run. */
bool disasm_is_fill(const struct instruction *insn);

#endif
