/* The console's input: what was typed, and the line that is being edited. */
#pragma once

#include "drivers/console/ring.h"

#define CONS_LINE 4096	/* bytes of a line; a longer one is delivered in parts */

/* The caller's lock guards it. It begins as all zeros. */
struct consline {
	struct ring typed; /* typed ahead: as received, not yet edited */
	bool raw;	   /* bytes are read as they come */
	bool done;	   /* the line is complete, and the next begins when it is read */
	size_t taken, len; /* bytes of the line that were read, and its length */
	uint8_t line[CONS_LINE];
};

/* Return whether a read, after consline_cook(), would find bytes or the end of file. */
bool consline_ready(const struct consline *l);

/*
 * Unless raw, edit the line with the typed bytes until it is complete or none are left. Put
 * the bytes to show into echo (size at least 16), and return how many. Editing stops early
 * when echo is full, so call this until it returns 0.
 */
size_t consline_cook(struct consline *l, uint8_t *echo, size_t size);

/* Take at most n bytes of those that are ready. Return how many; 0 is the end of file (^D). */
size_t consline_take(struct consline *l, uint8_t *buf, size_t n);

/* Discard all that was typed but not read, edited or not. */
void consline_flush(struct consline *l);
