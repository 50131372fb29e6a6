/*
 * Texts in order, each with two numbers, in little memory by front coding: of a text only what
 * differs from the one before it is kept, for call paths that are neighbours begin alike.
 */
#ifndef TOOLS_MERGE_PACKED_H
#define TOOLS_MERGE_PACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All 0 at first. */
struct packed {
	uint8_t *data;
	size_t n, room;
	char *last; /* text, which the next one is compared with */
	size_t nlast, room_last;
};

/* A text of them, which the next one takes the place of. */
struct packed_text {
	const struct packed *of;
	size_t at; /* the next one's place */
	char *text; /* without a NUL */
	size_t n, room;
	uint64_t count, times;
};

/* Add a text of n bytes, which is copied, after all others. */
void packed_add(struct packed *p, const char *text, size_t n, uint64_t count, uint64_t times);
void packed_free(struct packed *p);

/* Begin before the first text. */
void packed_begin(struct packed_text *t, const struct packed *of);

/* Go on to the next one. Return false, and free its memory: there is none. */
bool packed_next(struct packed_text *t);

#endif
