/*
 * Makes the kernel's font (drivers/console/font.h) of a console font of 8 by 16 points: PSF 1, as
 * psf(5) of the kbd package describes it, with a table of the characters that glyphs stand for.
 * usage: font FILE.psf[.gz] >font.c
 *
 * A text screen has 256 glyphs. They are the font's, from the ranges below in this order, until
 * there are as many. Those of ASCII have its numbers, for whoever reads the screen's memory.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>
#include "drivers/console/font.h"
#include "tools/outfile.h"
#include "tools/version.h"

#define PSF_HEAD 4
#define PSF_512 1   /* in the mode: 512 glyphs instead of 256 */
#define PSF_TABLE 2 /* and the table */
#define PSF_SEQUENCES 0xfffe
#define PSF_END 0xffff
#define MISSING 0x25af /* a white vertical rectangle */

static const char usage[] = "usage: font FILE.psf[.gz]\n";

static const struct {
	uint32_t first, last;
} wanted[] = {
	{' ', '~'},	  {MISSING, MISSING}, {0xa0, 0xff},	{0x2500, 0x2503}, {0x250c, 0x250c},
	{0x2510, 0x2510}, {0x2514, 0x2514},   {0x2518, 0x2518}, {0x251c, 0x251c}, {0x2524, 0x2524},
	{0x252c, 0x252c}, {0x2534, 0x2534},   {0x253c, 0x253c}, {0x2580, 0x2593}, {0x2190, 0x2193},
	{0x2013, 0x2014}, {0x2018, 0x201a},   {0x201c, 0x201e}, {0x2022, 0x2022}, {0x2026, 0x2026},
	{0x20ac, 0x20ac}, {0x2264, 0x2265},   {0x25b2, 0x25b2}, {0x25b6, 0x25b6}, {0x25bc, 0x25bc},
	{0x25a0, 0x25a0}, {0x2550, 0x256c},
};

static uint8_t file[65536];
static size_t size;
static uint8_t has[0x10000]; /* of each character: it is in the kernel's font */

static void font_fail(const char *name, const char *why)
{
	fprintf(stderr, "font: %s: %s\n", name, why);
	exit(1);
}

static unsigned font_word(size_t at)
{
	return file[at] | file[at + 1] << 8;
}

/* Return the number of the glyph that stands for a character, or -1. */
static int glyph_of(uint32_t code)
{
	unsigned glyphs = 256, glyph = 0;
	bool sequences = false;

	if (file[2] & PSF_512)
		glyphs = 512;
	for (size_t at = PSF_HEAD + glyphs * FONT_ROWS; at + 1 < size && glyph < glyphs; at += 2) {
		switch (font_word(at)) {
		case PSF_END:
			glyph++;
			sequences = false;
			break;
		case PSF_SEQUENCES:
			sequences = true;
			break;
		default:
			if (!sequences && font_word(at) == code)
				return (int)glyph;
		}
	}
	return -1;
}

/* Return whether the file begins as one whose glyphs have our size and characters. */
static bool is_font(void)
{
	if (size < PSF_HEAD || file[0] != 0x36 || file[1] != 0x04)
		return false;
	return file[3] == FONT_ROWS && (file[2] & PSF_TABLE);
}

static void read_font(const char *name)
{
	gzFile f = gzopen(name, "rb");
	int n = -1;

	if (f)
		n = gzread(f, file, sizeof(file));
	if (n < 0)
		font_fail(name, "cannot be read");
	gzclose(f);
	size = (size_t)n;
	if (!is_font() || glyph_of(' ') < 0 || glyph_of(MISSING) < 0)
		font_fail(name, "is no PSF 1 font of 8 by 16 points with a table of characters");
}

/* Choose the characters. */
static void font_choose(void)
{
	unsigned n = 0;

	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		for (uint32_t code = wanted[i].first; code <= wanted[i].last; code++) {
			if (n == FONT_MOST || glyph_of(code) < 0)
				continue;
			has[code] = 1;
			n++;
		}
	}
}

/* Print a glyph; one of no character is blank. */
static void print_glyph(uint32_t code)
{
	const uint8_t *rows = file + PSF_HEAD;

	if (code == 0)
		code = ' ';
	rows += (size_t)glyph_of(code) * FONT_ROWS;
	printf("\t{0x%02x", rows[0]);
	for (unsigned i = 1; i < FONT_ROWS; i++)
		printf(", 0x%02x", rows[i]);
	printf("},\n");
}

/* Print an array of what the glyphs are for; ASCII has its own numbers, and the rest follow. */
static void print_codes(const uint16_t *code, unsigned n)
{
	unsigned missing = 0;

	printf("const uint32_t font_count = %u;\nconst uint16_t font_code[] = {", n);
	for (unsigned i = 0; i < n; i++) {
		if (i % 12 == 0)
			printf("\n\t0x%04x,", code[i]);
		else
			printf(" 0x%04x,", code[i]);
		if (code[i] == MISSING)
			missing = (i + ' ') % FONT_MOST;
	}
	printf("\n};\nconst uint8_t font_missing = %u;\n", missing);
}

int main(int argc, char **argv)
{
	static uint16_t code[FONT_MOST];
	int asked = version_asked("font", usage, argc, argv);
	unsigned n = 0;

	if (asked >= 0)
		return asked;
	if (!version_operands(argc, argv, 1, 1)) {
		fputs(usage, stderr);
		return 2;
	}
	read_font(argv[1]);
	font_choose();
	for (uint32_t c = 0; c < sizeof(has); c++)
		if (has[c])
			code[n++] = (uint16_t)c;
	printf("#include \"drivers/console/font.h\"\n\n");
	print_codes(code, n);
	printf("const uint8_t font_glyph[][FONT_ROWS] = {\n");
	for (unsigned glyph = 0; glyph < FONT_MOST; glyph++)
		print_glyph(code[(glyph - ' ') % FONT_MOST]);
	printf("};\n");
	return outfile_standard("font", 0);
}
