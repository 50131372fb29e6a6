/* How characters look, by the numbers of ECMA-48's SGR (select graphic rendition). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define SGR_PLAIN 0x0700u /* light grey on black */

struct sgr {
	uint16_t colours; /* as in a cell of term.h's, from bit 8 on */
	bool bold, reverse;
};

/* Do what one number asks for: a colour, bold, reverse, or all as it was at first. */
void sgr_set(struct sgr *look, unsigned n);
