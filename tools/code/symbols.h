/*
 * The functions of an ELF file, by address: those of its symbol table (.symtab, elf(5)), and labels
 * of assembly that stand in no function. A stripped file has none. Several symbols of one address
 * are one function; of their names that of a function is taken, then a global one.
 */
#ifndef TOOLS_CODE_SYMBOLS_H
#define TOOLS_CODE_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/code/addr.h"
#include "tools/code/buildid.h"
#include "tools/complaint.h"
#include "tools/texts.h"

struct symbol {
	code_addr start, end; /* half-open; without a size in the file, up to what follows */
	const char *name;  /* which no other has: namesakes.h */
	const char *plain; /* as the file has it */
	const char *file;  /* of a local one: its source; NULL: unknown */
	bool global;
	bool label; /* it has no type, as names in assembly have none */
	bool thumb; /* its code is Thumb, ARM's other one */
};

struct symbols {
	struct symbol *sym; /* ascending, no two with the same start */
	size_t n;
	bool has_text;		/* ktzero and etext are known */
	code_addr ktzero, etext; /* the kernel's text, half-open */
	unsigned width;		/* bytes of an address: 4 or 8 */
	unsigned machine;	/* e_machine of the ELF header */
	code_addr block;	/* of the variable prof_block (prof_block.h); 0: none */
	char buildid[BUILDID_SIZE]; /* hexadecimal; empty when there is none */
	char codeid[BUILDID_SIZE];  /* in its place then, unless there is no code */
	void *elf;		/* holds the names; NULL: the file is text, see nm.h */
	struct texts shown;	/* holds those that are not shown as they are: printable_kept() */
	int fd; /* of the file, for those that want its bytes; -1 of a text */
};

/*
 * Read the symbol table of path, or its text as nm prints it. Return 0, or -1 and *why: it cannot
 * be opened, is neither, is of a big-endian machine, or has no symbols. The caller ends with
 * symbols_free(), after success only; names last until then.
 */
int symbols_load(struct symbols *s, const char *path, struct complaint *why);
void symbols_free(struct symbols *s);

/*
 * The function in which a kernel waits for something to do. In profiles that tell no modes, what
 * was counted there is idle time; another kernel may give its own function that name.
 */
#define SYMBOLS_IDLE "cpu_idle"

/* Return whether a name, its own or the one that others may have, means a function. */
bool symbol_means(const struct symbol *s, const char *name);

/* Return the function that covers pc, or NULL. */
const struct symbol *symbols_at(const struct symbols *s, code_addr pc);

/*
 * The same, in less time where the next address often is in the same symbol or the one after it.
 * *last is the index of the one that was found last: begin with 0.
 */
const struct symbol *symbols_near(const struct symbols *s, size_t *last, code_addr pc);

/* Return whether a file has that build id, or what stands in the place of one. */
bool symbols_are(const struct symbols *s, const char *buildid);

/* Return the build id for a message. */
static inline const char *symbols_buildid(const struct symbols *s)
{
	if (!*s->buildid)
		return "not there";
	return s->buildid;
}

#endif
