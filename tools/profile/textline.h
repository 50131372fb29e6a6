/*
 * The lines of a text in memory, one after the other, and the numbers in them. Nothing is copied or
 * changed: a line lies in the text, and no NUL ends it, though it may have some.
 */
#ifndef TOOLS_PROFILE_TEXTLINE_H
#define TOOLS_PROFILE_TEXTLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/complaint.h"

struct textline {
	const char *next, *end; /* what is still to be read */
	const char *line;	/* the line that was read last, without its newline */
	size_t n;		/* its length in bytes */
	unsigned number;	/* counted from 1 */
	bool whole;		/* it ended in a newline */
};

/* Begin with the n bytes at text. */
void textline_init(struct textline *t, const void *text, size_t n);

/* Go on to the next line; false at the end. */
bool textline_next(struct textline *t);

/* Return whether n bytes begin with a string. */
bool textline_starts(const void *data, size_t n, const char *with);

/* Return whether n bytes are a string. */
bool textline_is(const void *data, size_t n, const char *string);

/* Return whether the line that was read last begins so. */
bool textline_begins(const struct textline *t, const char *with);

/*
 * Read a number of base 10 or 16 at *at, which is moved past it; digits above 9 are in lower case,
 * and there is neither sign nor 0x. False, and neither *at nor *v has changed: there is no digit,
 * or the number is above max.
 */
bool textline_number(const char **at, const char *end, unsigned base, uint64_t max, uint64_t *v);

/*
 * Complain that the line that was read last should be something else: "line 3: WHAT expected, not
 * ...", with the beginning of the line. Always -1.
 */
int textline_expected(const struct textline *t, const char *what, struct complaint *why);

#endif
