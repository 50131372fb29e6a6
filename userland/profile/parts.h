/* The functions and source lines of a module, with their counts by prof(3). */
#ifndef USERLAND_PROFILE_PARTS_H
#define USERLAND_PROFILE_PARTS_H

#include "userland/profile/lines.h"
#include "userland/profile/modules.h"
#include "userland/profile/symtab.h"

/* The counts of some instructions. */
struct counts {
	uint64_t total;
	uint64_t times; /* at a function's first instruction, or a line's most frequent one */
	uint32_t ran;	/* how many instructions have a count, without those that only fill */
	uint32_t of;	/* how many there are; 0 if the module has no table */
	uint64_t peak;	/* of memory: the sum of the instructions' peaks, in bytes */
	uint64_t ever;	/* of memory: the bytes that were ever allocated */
};

/* A function, or a line. */
struct part {
	const char *name; /* of the function, or of the line's file; "?" if it is not known */
	uint32_t line;	  /* 0 for a function */
	uint32_t file;	  /* of a line: the file's number in the order of the names, from 1 on */
	struct counts c;
};

/* A module's file, and its instructions with their counts. */
struct parts {
	const struct symtab *symbols;
	struct lines lines; /* unless read: the instructions that have counts */
	uint64_t *count;    /* of each instruction */
	uint64_t *peak, *ever; /* of each instruction, or NULL if there are none */
	bool has_lines;	     /* all instructions are known, or all pads */
	const char *without; /* why not, if there is a table; NULL if there is none */
};

/*
 * Read the module's file and place the counts. Without lines, the table of source lines is not
 * read: only the instructions that have counts are known. entries says that only calls of
 * functions were counted, each at the function's first instruction, if that is a pad: all pads are
 * known then, for the device tells of all. Return NULL, or what is wrong with the file, for a
 * message. The caller ends with parts_close in either case.
 */
const char *parts_open(struct parts *p, const struct module *m, bool lines, bool entries);
void parts_close(struct parts *p);

/* Return whether something was counted there. */
static inline bool parts_has(const struct counts *c)
{
	return c->total > 0 || c->peak > 0;
}

/* Return what they have together, without how often. */
struct counts parts_sum(const struct part *part, size_t n);

/* Return the functions, by address. Names live as long as p; the caller frees the array. */
struct part *parts_functions(const struct parts *p, size_t *n);

/* Return the lines that have code, by file and number. Line 0 of file "?", if any, is first. */
struct part *parts_lines(const struct parts *p, size_t *n);

#endif
