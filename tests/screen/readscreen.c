/*
 * readscreen: prints what stands on a screen of a machine, a line a row, without the blanks at its
 * end: of an image that QEMU's screendump made (PPM) by comparing it with the glyphs of our font,
 * or of VGA's text memory, 80 cells a row, as pmemsave saves it.
 *
 * usage: readscreen [-c] FILE
 *	-c	print {XX} where the colours, as in VGA's cells, become others than the row's before
 */
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "drivers/console/font.h"

#define PLAIN 0x07
#define TEXT_COLUMNS 80u
#define TEXT_WIDTH 720u /* of text mode in an image: there cells are 9 points wide */
#define UNKNOWN 0xfffdu

struct image {
	unsigned width, height, cell;
	uint8_t *point; /* three bytes each */
};

static bool colours;

static void put_utf8(unsigned c)
{
	if (c < 0x80) {
		putchar((int)c);
		return;
	}
	if (c >= 0x800)
		putchar((int)(0xe0 | c >> 12));
	putchar((int)(c >= 0x800 ? 0x80 | (c >> 6 & 0x3f) : 0xc0 | c >> 6));
	putchar((int)(0x80 | (c & 0x3f)));
}

/* Print a row of characters, each with its colours from bit 16 on. */
static void put_row(const uint32_t *row, unsigned n)
{
	unsigned look = PLAIN;

	while (n > 0 && (row[n - 1] & 0xffff) == ' ' && (!colours || row[n - 1] >> 16 == PLAIN))
		n--;
	for (unsigned i = 0; i < n; i++) {
		if (colours && row[i] >> 16 != look)
			printf("{%02x}", look = row[i] >> 16);
		put_utf8(row[i] & 0xffff);
	}
	putchar('\n');
}

/* Return the character whose glyph these points are, on the colour that has the first point. */
static uint32_t recognize(const struct image *im, const uint8_t *first)
{
	uint8_t rows[FONT_ROWS] = {0}, inverted[FONT_ROWS];

	for (unsigned y = 0; y < FONT_ROWS; y++)
		for (unsigned x = 0; x < 8; x++)
			if (memcmp(first + 3 * (y * im->width + x), first, 3) != 0)
				rows[y] |= (uint8_t)(0x80 >> x);
	for (unsigned y = 0; y < FONT_ROWS; y++)
		inverted[y] = (uint8_t)~rows[y];
	for (unsigned i = 0; i < font_count; i++) {
		const uint8_t *glyph = font_glyph[(i + ' ') % FONT_MOST];
		if (memcmp(glyph, rows, FONT_ROWS) == 0 || memcmp(glyph, inverted, FONT_ROWS) == 0)
			return (i + ' ') % FONT_MOST == font_missing ? UNKNOWN : font_code[i];
	}
	return UNKNOWN;
}

static void print_image(const struct image *im)
{
	unsigned columns = im->width / im->cell;
	uint32_t *row = calloc(columns, sizeof(*row));

	for (unsigned y = 0; y + FONT_ROWS <= im->height; y += FONT_ROWS) {
		for (unsigned i = 0; i < columns; i++)
			row[i] = PLAIN << 16 |
				 recognize(im, im->point + 3 * (y * im->width + i * im->cell));
		put_row(row, columns);
	}
	free(row);
}

static void print_cells(const uint8_t *cell, size_t n)
{
	uint32_t row[TEXT_COLUMNS];

	for (size_t at = 0; at + 2 * TEXT_COLUMNS <= n; at += 2 * TEXT_COLUMNS) {
		for (unsigned i = 0; i < TEXT_COLUMNS; i++) {
			unsigned glyph = cell[at + 2 * i], nth = (glyph - ' ') % FONT_MOST;
			row[i] = (uint32_t)cell[at + 2 * i + 1] << 16 |
				 (nth >= font_count || glyph == font_missing ? UNKNOWN :
									      font_code[nth]);
		}
		put_row(row, TEXT_COLUMNS);
	}
}

int main(int argc, char **argv)
{
	static uint8_t file[8 << 20];
	struct image im = {.cell = 8};
	int head = 0;

	colours = argc == 3 && strcmp(argv[1], "-c") == 0;
	if (argc != 2 + colours)
		errx(2, "usage: readscreen [-c] FILE");
	FILE *f = fopen(argv[1 + colours], "rb");
	size_t n = f ? fread(file, 1, sizeof(file) - 1, f) : 0;
	if (n == 0)
		err(1, "%s", argv[1 + colours]);
	fclose(f);
	if (sscanf((char *)file, "P6 %u %u 255%n", &im.width, &im.height, &head) != 2) {
		print_cells(file, n);
		return 0;
	}
	im.point = file + head + 1;
	im.cell = im.width == TEXT_WIDTH ? 9 : 8;
	if (n < (size_t)head + 1 + 3ul * im.width * im.height)
		errx(1, "%s: is cut off", argv[1]);
	print_image(&im);
	return 0;
}
