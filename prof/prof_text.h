/* Text that goes to a sink in small pieces, without a buffer for all of it. */
#pragma once

#include "prof/prof_sample.h"

struct prof_text {
	const struct prof_sink *to;
	int err;    /* the sink's, which then gets no more */
	unsigned n; /* characters in piece */
	char piece[256];
};

void prof_text_flush(struct prof_text *t);

static inline void prof_text_char(struct prof_text *t, char c)
{
	t->piece[t->n++] = c;
	if (t->n == sizeof(t->piece))
		prof_text_flush(t);
}

void prof_text_string(struct prof_text *t, const char *s);
/* Write text that has a number in place of each %, one after the other. */
void prof_text_print(struct prof_text *t, const char *text, const uint64_t number[]);
/* Write n addresses as a path's steps, the last of them first, with 4, 8 or 16 digits. */
void prof_text_steps(struct prof_text *t, const prof_addr *a, uint32_t n, uint32_t digits);
/* Return a time, which has per_ms a millisecond, in units of which that has `units': up to 2^20. */
uint64_t prof_text_in_units(uint64_t time, uint32_t per_ms, uint32_t units);
int prof_text_end(struct prof_text *t); /* what is left; returns 0, or the sink's error */
