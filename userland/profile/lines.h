/* The instructions of a program, and the source line that each was made from: lines(5). */
#ifndef USERLAND_PROFILE_LINES_H
#define USERLAND_PROFILE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LINES_SECTION ".lines"
#define LINES_NAME 1024 /* bytes of the longest name of a file, with its NUL */

struct lines_instruction {
	uint32_t pc;   /* from the start of text on */
	uint32_t line; /* 0: not known */
	uint16_t file; /* index of its name */
	bool fill;     /* padding, which does nothing */
};

struct lines {
	struct lines_instruction *in; /* by pc, ascending */
	size_t n;
	const char **file; /* the names */
	size_t nfiles;
};

/*
 * Read a table, whose names stay where they are, or of it the names alone. Return NULL, or what is
 * wrong with it, for a message; then there is nothing to free.
 */
const char *lines_read(struct lines *l, const void *data, size_t size, bool names);

/* Return the index of the instruction that begins at pc; l->n when none does. */
size_t lines_at(const struct lines *l, uint32_t pc);

void lines_free(struct lines *l);

#endif
