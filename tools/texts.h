/* Numbers for what is distinct among texts: see distinct.h. */
#ifndef TOOLS_TEXTS_H
#define TOOLS_TEXTS_H

#include <stddef.h>
#include <stdint.h>
#include "tools/distinct.h"

/* The texts so far, each by its hash; at first all 0. */
struct texts {
	struct text {
		uint64_t hash;
		char *text;
		size_t n;
	} *text;
	size_t n, room;
	struct distinct known;
};

/* Return the number of a text of n bytes, which is the next one, t->n before, if it is new. */
size_t texts_number(struct texts *t, const char *text, size_t n);

void texts_free(struct texts *t);

#endif
