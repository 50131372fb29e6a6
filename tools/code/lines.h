/*
 * DWARF's lines and inlined functions of an image. An address has one row, and all the scopes
 * that cover it: the innermost one is that of its code, and its parents are the functions into
 * which that was inlined. DWARF 2 to 5 are read, by libdw: the line table (DWARF 5, section 6.2),
 * and of the entries those of functions and inlined ones (section 3.3). Types and variables are
 * not.
 */
#ifndef TOOLS_CODE_LINES_H
#define TOOLS_CODE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/code/addr.h"
#include "tools/code/dwarfdata.h"
#include "tools/code/entrynames.h"
#include "tools/texts.h"

/* The line of the addresses from pc up to the next row's. */
struct line_row {
	code_addr pc;
	unsigned line;
	uint32_t run;	  /* the same number only in rows of one line that follow each other */
	const char *file; /* NULL: the line is not known */
	const char *dir;  /* which it may be relative to: where the compiler ran; or NULL */
};

#define LINES_NONE UINT32_MAX

/* A range of the code of a function, or of an inlined one. */
struct line_scope {
	code_addr lo, hi; /* half-open */
	uint32_t parent; /* index of the smallest one around it, or LINES_NONE */
	unsigned depth;	 /* of nested functions in DWARF's tree */
	bool inlined;	 /* else it is a function's own */
	const char *name; /* of the function in the source, without its class or namespace */
	const char *call_file; /* where an inlined one was called; NULL: unknown */
	const char *call_dir;  /* where the compiler ran for that */
	unsigned call_line;
	unsigned line; /* where the function is declared, in its file; 0: unknown */
};

/* Which scope is the innermost one of the addresses from pc up to the next of these. */
struct line_inner {
	code_addr pc;
	uint32_t scope; /* its index, or LINES_NONE */
};

struct lines {
	struct line_row *row; /* ascending */
	size_t nrow, room_row;
	struct line_scope *scope; /* ascending, outer ones before those in them */
	size_t nscope, room_scope;
	struct line_inner *inner; /* ascending */
	size_t ninner, room_inner;
	const char *file, *shown_file; /* the one that was looked for last, and as it is shown */
	const void *file_of;	       /* for that unit */
	const char *unit_dir;	       /* where the compiler ran for the unit that is being read */
	uint64_t walked; /* where the next entry of DWARF's tree is looked for, */
	uint64_t unit_end; /* at most */
	size_t ranges;	   /* bytes of the lists of ranges so far */
	const char *dir; /* where the compiler ran for most of it; NULL: unknown */
	struct dwarfdata data; /* holds the names */
	struct entrynames names;
	struct texts shown;    /* holds those that are not shown as they are */
};

/*
 * Read all DWARF data of an open ELF file, which must last, and is open as `fd', too; without any,
 * there are no rows.
 */
struct lines *lines_load(void *elf, int fd);
void lines_free(struct lines *l);

/* Return the row of an address; NULL: its line is not known. */
const struct line_row *lines_row(const struct lines *l, code_addr pc);

/* Return whether all addresses in [lo, hi) are of one line, or of none that is known. */
bool lines_one(const struct lines *l, code_addr lo, code_addr hi);

/* Return the innermost scope of an address, or the one around a scope; NULL: there is none. */
const struct line_scope *lines_scope(const struct lines *l, code_addr pc);
const struct line_scope *lines_parent(const struct lines *l, const struct line_scope *scope);

#endif
