/* The functions of a kernel image or a program, by address, its build id and its line table. */
#ifndef USERLAND_PROFILE_SYMTAB_H
#define USERLAND_PROFILE_SYMTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SYMTAB_ID 40 /* characters of a build id */
#define SYMTAB_NAME 256 /* bytes of the longest name, with its NUL: longer ones are cut */
#define SYMTAB_FILE (16 << 20) /* bytes of the largest file that is read */
#define SYMTAB_MOST 100000     /* symbols that such a file has at most */

struct symtab_function {
	uint32_t address, end; /* end = address: it is not known */
	const char *name;
	bool global, label; /* label: without a type, as in assembly that says none */
};

struct symtab {
	struct symtab_function *function; /* ascending, no two at the same address */
	size_t n;
	struct symtab_function *variable; /* in the order of the file */
	size_t nvariable;
	uint32_t text; /* where the first segment that can be executed begins */
	uint32_t ktzero, etext; /* text, half-open; 0 in a file that does not name them */
	char buildid[SYMTAB_ID + 1];
	const void *lines; /* the table of source lines, lines(5), or NULL */
	size_t lines_size;
	char *image; /* holds the names and that table */
};

/*
 * Read all that can be read. Return NULL, or a message that says what is wrong with path; the
 * rest is set all the same. The caller ends with symtab_free in either case.
 */
const char *symtab_load(struct symtab *s, const char *path);
void symtab_free(struct symtab *s);

/*
 * The same, but the table is kept until another file is asked for: a program whose file was touched
 * before each start is a module for each, and all have its functions. It is not the caller's.
 */
const char *symtab_keep(const struct symtab **s, const char *path);

/* The same, but end the program with a message unless there are symbols and a build id. */
void symtab_read(struct symtab *s, const char *path);

/* Return the name of the function that begins at an address, or NULL. */
const char *symtab_name(const struct symtab *s, uint32_t address);

/* Return the address of a variable, or 0 if there is none of that name. */
uint32_t symtab_variable(const struct symtab *s, const char *name);

/* Return the last function that begins at or before an address, or NULL. */
const struct symtab_function *symtab_find(const struct symtab *s, uint32_t address);

#endif
