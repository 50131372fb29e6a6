/*
 * What the machine code of a kernel says of its stack: for each function how many bytes it uses,
 * and how many are in use at each of its calls. It is of x86 with 32 bits, as Gnomon's kernel is;
 * nothing is run. What code alone cannot tell, as where a pointer leads, is for fields.h and
 * rules.h.
 */
#ifndef TOOLS_DEPTH_CODE_H
#define TOOLS_DEPTH_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/code/image.h"
#include "tools/complaint.h"

#define CODE_RETURN 4 /* bytes of a return address */

/* A call, or a jump to another function. */
struct code_call {
	uint32_t pc;
	int at;		/* bytes in use, from the caller's return address on, before the call */
	uint32_t to;	/* 0: through a pointer */
	const char *in; /* the function in the source that it is in, before inlining */
	const char *file;
	unsigned line;
};

struct code_function {
	const char *name, *file; /* file: NULL if unknown */
	uint32_t start, end;	 /* half-open */
	int own;		 /* bytes in use at most, with the return address */
	bool pad;		 /* it begins with a pad that can become a call */
	bool lost;		 /* its stack pointer cannot be told everywhere */
	struct code_call *call;
	size_t ncall, room_call;
	uint32_t *taken; /* addresses of functions that it has as numbers */
	size_t ntaken, room_taken;
};

struct code {
	struct image *image;
	struct code_function *fn; /* ascending */
	size_t n;
};

#define CODE_NONE SIZE_MAX

/*
 * Read all functions of an image, which must last: names are its own. Return 0, or -1 and *why: the
 * disassembler cannot be used. A function that cannot be followed is `lost', which is no failure.
 */
int code_read(struct code *c, struct image *image, struct complaint *why);
void code_free(struct code *c);

/* Return the index of the function that covers an address, or begins there; or CODE_NONE. */
size_t code_at(const struct code *c, uint32_t pc);
size_t code_start(const struct code *c, uint32_t pc);

/*
 * Return the index of the function of a name, FUNCTION or FILE:FUNCTION with the last parts of a
 * path. Or CODE_NONE: there is none, or several, and *why says so.
 */
size_t code_named(const struct code *c, const char *name, struct complaint *why);

/* Return what the file has at an address, n bytes, which last as long as it; NULL: nothing. */
const uint8_t *code_bytes(const struct image *image, uint32_t at, size_t n);
/* Put the word at an address in *out. False: the file has none there. */
bool code_word(const struct image *image, uint32_t at, uint32_t *out);

#endif
