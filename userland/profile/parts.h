/* The functions and source lines of a module, with what prof(3) has counted in them. */
#ifndef USERLAND_PROFILE_PARTS_H
#define USERLAND_PROFILE_PARTS_H

#include "userland/profile/lines.h"
#include "userland/profile/modules.h"
#include "userland/profile/symtab.h"

struct counts {
	uint64_t total;
	uint64_t times; /* of a function's first instruction, of a line's most frequent one */
	uint32_t ran;	/* instructions that have a count; those that only fill do not matter */
	uint32_t of;	/* all instructions; 0 when the module does not tell which there are */
	uint64_t peak;	/* of memory: the sum of the peaks of its instructions */
};

/* A function, or a line. */
struct part {
	const char *name; /* of the function, or the line's file; "?" is what nobody knows */
	uint32_t line;	  /* 0 for a function */
	struct counts c;
};

/* Of a module: its file, and its instructions with their counts. */
struct parts {
	struct symtab symbols;
	struct lines lines; /* without a table: the instructions that have counts */
	uint64_t *count;    /* one an instruction */
	uint64_t *peak;	    /* the same */
	bool has_lines;
	const char *without; /* why not, when there is a table; NULL when there is none */
	struct counts whole;
};

/*
 * Reads the module's file. entries: only calls of functions were counted, each at the
 * function's first instruction, if that is one that fills. NULL, or what is wrong with the
 * file, for a message: no symbols. The caller ends with parts_close. Lack of memory ends
 * the program.
 */
const char *parts_open(struct parts *p, const struct module *m, bool entries);
void parts_close(struct parts *p);

/* Whether something was counted there. */
static inline bool parts_has(const struct counts *c)
{
	return c->total > 0 || c->peak > 0;
}

/* The functions, by address. Names live as long as p, the array is the caller's. */
struct part *parts_functions(const struct parts *p, size_t *n);

/* The lines that have code, by file and number; line 0 of file "?" is first, if it is there. */
struct part *parts_lines(const struct parts *p, size_t *n);

#endif
