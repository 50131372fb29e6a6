/*
 * VGA's text mode over simulated registers and memory (V2).
 * Links: drivers/console/vga.c tests/drivers/fakes.c
 */
#include "drivers/console/font.h"
#include "drivers/console/screen.h"
#include "tests/drivers/fakes.h"

#define STRIDE 32u

const uint8_t font_glyph[FONT_MOST][FONT_ROWS] = {{0}, {0xff, 0x81}, {1, 2, 3, [15] = 16}};

/* The registers behind a port of indexes and the next one, as they are in text mode. */
static struct group {
	uint16_t port;
	uint8_t index, reg[32];
} groups[] = {
	{0x3c4, 0, {[2] = 3, [4] = 2}}, {0x3ce, 0, {[5] = 0x10, [6] = 0x0e}},
	{0x3d4, 0, {[0x0e] = 0xaa, [0x0f] = 0xaa}},
};
#define SEQUENCER groups[0].reg
#define GRAPHICS groups[1].reg
#define CRTC groups[2].reg

static uint8_t attribute[0x20] = {[0x10] = 0x0c}, attribute_index;
static bool attribute_value; /* what comes next is a value */
static uint8_t plane2[0x10000];
static uint16_t cells[26][80];
static bool absent; /* there is no adapter */
static bool opened; /* the font's plane could be written */

static bool font_there(void)
{
	for (unsigned i = 0; i < FONT_MOST; i++)
		if (memcmp(plane2 + i * STRIDE, font_glyph[i], FONT_ROWS) != 0)
			return false;
	return true;
}

/* Set a register. Between the one that opens the font's plane and the next one, the font comes. */
static void set(struct group *g, uint8_t v)
{
	assert_true(g->index < sizeof(g->reg));
	assert_int_equal(font_there(), opened);
	g->reg[g->index] = v;
	opened |= SEQUENCER[2] == 4 && SEQUENCER[4] == 6 && GRAPHICS[5] == 0 && GRAPHICS[6] == 4;
}

void outb(uint16_t port, uint8_t v)
{
	if (port == 0x3c0) {
		if (attribute_value)
			attribute[attribute_index & 0x1f] = v;
		else
			attribute_index = v;
		attribute_value = !attribute_value;
		return;
	}
	for (unsigned i = 0; i < nelem(groups); i++) {
		struct group *g = &groups[i];

		if (port == g->port)
			g->index = v;
		else if (port == g->port + 1)
			set(g, v);
	}
}

uint8_t inb(uint16_t port)
{
	if (port == 0x3d5)
		return absent ? 0xff : CRTC[groups[2].index];
	if (port == 0x3c1)
		return attribute[attribute_index & 0x1f];
	assert_int_equal(port, 0x3da);
	attribute_value = false;
	return 0;
}

void *p2v(uint32_t pa)
{
	if (pa == 0xa0000)
		return plane2;
	assert_int_equal(pa, 0xb8000);
	return cells;
}

/* Text mode is as it was, with our font, and sixteen colours behind characters. */
static void v2_font(void **state)
{
	const struct term_screen *s;

	memset(plane2, 0xa5, sizeof(plane2));
	attribute_value = true; /* as another program may have left it */
	s = vga_init();
	assert_non_null(s);
	assert_int_equal(s->columns, 80);
	assert_int_equal(s->rows, 25);
	assert_true(opened && font_there());
	assert_int_equal(plane2[FONT_ROWS], 0xa5); /* between two glyphs */
	assert_int_equal(plane2[FONT_MOST * STRIDE], 0xa5);
	assert_int_equal(SEQUENCER[2], 3);
	assert_int_equal(SEQUENCER[4], 2);
	assert_int_equal(GRAPHICS[5], 0x10);
	assert_int_equal(GRAPHICS[6], 0x0e);
	assert_int_equal(attribute[0x10], 0x04); /* nothing blinks */
	assert_int_equal(attribute_index & 0x20, 0x20); /* the screen is on */
	assert_false(attribute_value);
	assert_true(fake_logged("screen: VGA text, 80 by 25"));
}

/* A row's cells go where they belong, and the cursor to a cell, or below all rows. */
static void v2_shows(void **state)
{
	const struct term_screen *s = vga_init();
	uint16_t row[2][80];

	memset(cells, 0, sizeof(cells));
	for (unsigned i = 0; i < 160; i++)
		row[i / 80][i % 80] = (uint16_t)(0x1e00 + i);
	s->show(23, 2, row[0]);
	s->show(1, 1, row[1]);
	for (unsigned i = 0; i < 26; i++)
		for (unsigned k = 0; k < 80; k++)
			assert_int_equal(cells[i][k], i == 23 ? row[0][k] :
					 i == 1 || i == 24 ? row[1][k] : 0);
	s->cursor(24, 79);
	assert_int_equal(CRTC[0x0e] << 8 | CRTC[0x0f], 1999);
	s->cursor(25, 3);
	assert_in_range(CRTC[0x0e] << 8 | CRTC[0x0f], 2000, 2079);
}

/* Memory alone is no screen, and is left as it is. */
static void v2_no_adapter(void **state)
{
	static const uint16_t noise = 0x1234;

	fake_log[0] = 0;
	absent = true;
	cells[0][0] = noise;
	assert_null(vga_init());
	assert_int_equal(cells[0][0], noise);
	assert_false(fake_logged("screen"));
	absent = false;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(v2_font), cmocka_unit_test(v2_shows),
		cmocka_unit_test(v2_no_adapter),
	};

	return RUN(tests, NULL, NULL);
}
