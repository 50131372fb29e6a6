/* What DWARF says of an image: which line each address is of, and what was inlined where. */
#ifndef TOOLS_CODE_LINES_H
#define TOOLS_CODE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From pc up to the next row's. */
struct line_row {
	uint32_t pc;
	unsigned line;
	const char *file; /* NULL: no line is known from here on */
};

#define LINES_NONE UINT32_MAX

/* A range of a function's code, or of one that was inlined. */
struct line_scope {
	uint32_t lo, hi; /* half-open */
	uint32_t parent; /* the smallest other one around it, or LINES_NONE */
	unsigned depth;	 /* in the tree of scopes */
	bool inlined;
	const char *name;
	const char *call_file; /* of an inlined one: where it was called; NULL: unknown */
	unsigned call_line;
};

struct lines {
	struct line_row *row; /* ascending */
	size_t nrow, room_row;
	struct line_scope *scope; /* ascending, those around others before them */
	size_t nscope, room_scope;
	const char *dir; /* in which the compiler ran; NULL: unknown */
	void *dwarf; /* holds the names */
};

/* All of an open ELF file; empty if it has no DWARF. The file must last. */
struct lines *lines_load(void *elf);
void lines_free(struct lines *l);

/* The row of an address, or NULL where no line is known. */
const struct line_row *lines_row(const struct lines *l, uint32_t pc);

/* The innermost scope of an address: its index, or LINES_NONE. */
uint32_t lines_scope(const struct lines *l, uint32_t pc);

#endif
