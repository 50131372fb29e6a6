/*
 * VGA's text mode, as the firmware leaves it: 80 by 25 cells at B8000h. Registers are those of the
 * IBM VGA, which every adapter of a PC has: an index goes to the first port, the value to the next.
 */
#include "drivers/console/font.h"
#include "drivers/console/screen.h"
#include "kernel/machine/i386.h"
#include "kernel/machine/print.h"
#include "kernel/machine/string.h"

#define CELLS 0xb8000u
#define COLUMNS 80u
#define FONT 0xa0000u
#define FONT_STRIDE 32u /* bytes from one glyph to the next */
#define SEQUENCER 0x3c4
#define GRAPHICS 0x3ce
#define CRTC 0x3d4
#define STATUS 0x3da	 /* read: the next write to ATTRIBUTE is an index */
#define ATTRIBUTE 0x3c0	 /* index and value both go here, and the value is read at the next port */
#define ATTRIBUTE_MODE 0x30 /* its register 10h, and the screen stays on */
#define BLINK 0x08	 /* the highest bit of a cell's colours blinks, instead of being bright */
#define CURSOR_AT 0x0e	 /* and the register after it: high byte, low byte */

static void vga_set(uint16_t port, uint8_t index, uint8_t value)
{
	outb(port, index);
	outb(port + 1, value);
}

/* Give the adapter our font, which lies in the third plane of its memory. */
static void vga_load_font(void)
{
	uint8_t *to = p2v(FONT);

	vga_set(SEQUENCER, 2, 4); /* write that plane alone */
	vga_set(SEQUENCER, 4, 6); /* and all of its bytes */
	vga_set(GRAPHICS, 5, 0);
	vga_set(GRAPHICS, 6, 4); /* at A0000h */
	for (uint32_t i = 0; i < FONT_MOST; i++)
		memcpy(to + i * FONT_STRIDE, font_glyph[i], FONT_ROWS);
	vga_set(SEQUENCER, 2, 3); /* text mode's planes, its odd and even bytes, and its address */
	vga_set(SEQUENCER, 4, 2);
	vga_set(GRAPHICS, 5, 0x10);
	vga_set(GRAPHICS, 6, 0x0e);
}

static void vga_show(unsigned row, unsigned n, const uint16_t *cell)
{
	memcpy((uint16_t *)p2v(CELLS) + row * COLUMNS, cell, n * COLUMNS * sizeof(*cell));
}

static void vga_cursor(unsigned row, unsigned column)
{
	unsigned at = row * COLUMNS + column;

	vga_set(CRTC, CURSOR_AT, (uint8_t)(at >> 8));
	vga_set(CRTC, CURSOR_AT + 1, (uint8_t)at);
}

static const struct term_screen text = {
	.columns = COLUMNS, .rows = 25, .show = vga_show, .cursor = vga_cursor,
};

/*
 * Return whether there is an adapter, whose registers keep what is written, with memory for the
 * cells. QEMU's machines without one have plain memory there.
 */
static bool vga_probe(void)
{
	volatile uint16_t *cell = p2v(CELLS);

	vga_set(CRTC, CURSOR_AT, 5);
	vga_set(CRTC, CURSOR_AT + 1, 0x5a);
	outb(CRTC, CURSOR_AT);
	if (inb(CRTC + 1) != 5)
		return false;
	for (unsigned i = 0; i < 2; i++) {
		cell[0] = 0x5aa5;
		cell[1] = 0x0f0f; /* what nobody holds does not stay on the bus */
		if (cell[0] != 0x5aa5)
			return false;
	}
	return true;
}

const struct term_screen *vga_init(void)
{
	if (!vga_probe())
		return NULL;
	vga_load_font();
	inb(STATUS);
	outb(ATTRIBUTE, ATTRIBUTE_MODE);
	outb(ATTRIBUTE, inb(ATTRIBUTE + 1) & ~BLINK);
	printk("screen: VGA text, %u by %u\n", text.columns, text.rows);
	return &text;
}
