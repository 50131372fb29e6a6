/*
 * The names of entries in DWARF's tree, and where they are declared. An inlined function has those
 * of the entry which it is a copy of, that one may be declared by another, and so on; each of these
 * is looked at once.
 */
#ifndef TOOLS_CODE_ENTRYNAMES_H
#define TOOLS_CODE_ENTRYNAMES_H

#include <elfutils/libdw.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/distinct.h"

/* The entries that others have their names of; at first all 0. */
struct entrynames {
	struct entryname {
		uint64_t at; /* the entry's offset */
		const char *name; /* which lasts as long as the DWARF data; NULL: it has none */
		unsigned line;	  /* on which it is declared, in its file; 0: unknown */
	} *entry;
	size_t n, room;
	struct distinct known;
};

/* Return what is known of an entry, but for its offset. */
struct entryname entrynames_get(struct entrynames *e, Dwarf_Die *die);

void entrynames_free(struct entrynames *e);

#endif
