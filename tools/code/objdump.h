/* Machine code that capstone does not know, as the objdump of that machine's binutils shows it. */
#ifndef TOOLS_CODE_OBJDUMP_H
#define TOOLS_CODE_OBJDUMP_H

#include "tools/code/disasm.h"

/* The whole code of an image. */
struct objdump {
	struct objdump_line {
		code_addr pc;
		size_t text;  /* where its text begins */
		uint8_t size; /* bytes */
	} *insn; /* by address */
	size_t n, room;
	char *text; /* of all, with a NUL each */
	size_t ntext, room_text;
	int error; /* why there is none, an error number; 0: there is, or it has found no code */
};

/* Return the name of the program for an ELF file's e_machine; NULL: none is known. */
const char *objdump_program(unsigned machine);

/*
 * Run the program on the file, which takes some 10 ms, and read what it prints; its own messages
 * are dropped. Never NULL. objdump_free() takes NULL, too.
 */
struct objdump *objdump_load(const char *program, const char *path);
void objdump_free(struct objdump *o);

/* Copy instruction number i. */
void objdump_take(const struct objdump *o, size_t i, struct instruction *to);

#endif
