/*
 * A linear frame buffer of 32 bits a point. What it shows is also kept in memory: only cells that
 * have changed are drawn, and nothing is ever read from the buffer, which is slow.
 */
#include "drivers/console/font.h"
#include "drivers/console/screen.h"
#include "kernel/machine/string.h"
#include "kernel/memory/frame.h"
#include "kernel/memory/kvm.h"

#define GLYPH_WIDTH 8u
#define FRESH 0xffffu /* of a cell: what it shows is not known */

static uint8_t *base;
static uint32_t pitch;
static uint32_t palette[16];   /* of VGA's colours */
static uint16_t *shown;	       /* each cell, as it was drawn */
static unsigned cursor_at;     /* the cell that has the cursor, or none */
static struct term_screen screen;

static void fb_draw(unsigned row, unsigned column, uint16_t cell)
{
	const uint8_t *glyph = font_glyph[cell & 0xff];
	uint32_t ink = palette[cell >> 8 & 15], paper = palette[cell >> 12];
	uint8_t *at = base + row * FONT_ROWS * pitch + column * GLYPH_WIDTH * sizeof(uint32_t);

	for (unsigned y = 0; y < FONT_ROWS; y++, at += pitch) {
		volatile uint32_t *point = (void *)at;

		for (unsigned x = 0; x < GLYPH_WIDTH; x++)
			point[x] = glyph[y] & 0x80 >> x ? ink : paper;
	}
}

static void fb_show(unsigned row, unsigned n, const uint16_t *cell)
{
	uint16_t *was = shown + row * screen.columns;

	for (unsigned i = 0; i < n * screen.columns; i++) {
		if (was[i] == cell[i])
			continue;
		was[i] = cell[i];
		fb_draw(row + i / screen.columns, i % screen.columns, cell[i]);
	}
}

/* Draw a cell with its colours exchanged if it has the cursor. */
static void fb_draw_cursor(unsigned at, bool on)
{
	if (at >= screen.rows * screen.columns)
		return;
	uint16_t c = shown[at];
	if (on)
		c = (uint16_t)((c & 0xff) | (c & 0x0f00) << 4 | (c & 0xf000) >> 4);
	fb_draw(at / screen.columns, at % screen.columns, c);
}

static void fb_cursor(unsigned row, unsigned column)
{
	fb_draw_cursor(cursor_at, false);
	cursor_at = row * screen.columns + column;
	fb_draw_cursor(cursor_at, true);
}

/* Mix VGA's colours, red, green and blue, from the bits of the buffer's points. */
static void fb_set_palette(const struct framebuffer *fb)
{
	static const uint32_t vga[nelem(palette)] = {
		0x000000, 0x0000aa, 0x00aa00, 0x00aaaa, 0xaa0000, 0xaa00aa, 0xaa5500, 0xaaaaaa,
		0x555555, 0x5555ff, 0x55ff55, 0x55ffff, 0xff5555, 0xff55ff, 0xffff55, 0xffffff,
	};

	for (unsigned i = 0; i < nelem(vga); i++)
		palette[i] = vga[i] >> 16 << fb->red | (vga[i] >> 8 & 0xff) << fb->green |
			     (vga[i] & 0xff) << fb->blue;
}

/* A larger buffer has the screen in its corner. */
const struct term_screen *fb_init(const struct framebuffer *fb)
{
	if (fb->bits != 32) {
		printk("screen: a frame buffer of %u bits a point: only 32 can be used\n",
		       fb->bits);
		return NULL;
	}
	screen = (struct term_screen){
		.columns = min_size(fb->width / GLYPH_WIDTH, TERM_COLUMNS),
		.rows = min_size(fb->height / FONT_ROWS, TERM_ROWS),
		.show = fb_show, .cursor = fb_cursor,
	};
	size_t cells = screen.columns * screen.rows * sizeof(*shown);
	shown = frame_alloc_n((cells + PAGE - 1) / PAGE);
	if (!shown)
		return NULL;
	memset(shown, FRESH & 0xff, cells);
	cursor_at = screen.columns * screen.rows;
	base = map_device(fb->address, fb->pitch * screen.rows * FONT_ROWS);
	pitch = fb->pitch;
	fb_set_palette(fb);
	printk("screen: frame buffer of %u by %u points at 0x%x, %u by %u characters\n", fb->width,
	       fb->height, fb->address, screen.columns, screen.rows);
	return &screen;
}
