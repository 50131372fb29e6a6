/* The font of the screen, which the build takes from a console font: see tools/build/font.c. */
#pragma once

#include <stdint.h>

#define FONT_ROWS 16u /* of a glyph; each is a byte, whose highest bit is the leftmost point */
#define FONT_MOST 256u

extern const uint32_t font_count;  /* of characters */
extern const uint16_t font_code[]; /* which they are, ascending from the blank on */
extern const uint8_t font_glyph[FONT_MOST][FONT_ROWS];
extern const uint8_t font_missing; /* the glyph for characters that the font lacks */

/* Return the glyph of a character. Those of ASCII have its numbers; the others follow. */
uint8_t font_find(uint32_t code);
