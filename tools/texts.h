/*
 * Numbers for what is distinct among texts: see distinct.h. A text keeps its number and its place,
 * so that the numbers are indices of `text', in the order in which texts came.
 */
#ifndef TOOLS_TEXTS_H
#define TOOLS_TEXTS_H

#include <stddef.h>
#include <stdint.h>
#include "tools/distinct.h"

/* Characters to look at in the names of a file of so many bytes: no honest one has as many. */
#define TEXTS_LOOKS(bytes) ((16u << 20) + 8 * (size_t)(bytes))

/* Bytes of a name that are looked at: no compiler's has more, and longer ones may overlap. */
#define TEXTS_NAME 4096

/* The texts so far, each by its hash; at first all 0. */
struct texts {
	struct text {
		uint64_t hash;
		char *text;
		size_t n;
	} *text;
	size_t n, room;
	struct distinct known;
	size_t looked, most; /* characters that printable_kept() looked at, and may; 0: all */
};

/* Return the number of a text of n bytes, which is the next one, t->n before, if it is new. */
size_t texts_number(struct texts *t, const char *text, size_t n);

void texts_free(struct texts *t);

#endif
