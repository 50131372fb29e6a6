/*
 * The frame buffer of 32 bits a point: what is drawn in it, and where (V2).
 * Links: drivers/console/fb.c tests/drivers/fakes.c
 */
#include "drivers/console/font.h"
#include "drivers/console/screen.h"
#include "tests/drivers/fakes.h"
#include "kernel/memory/frame.h"
#include "kernel/memory/kvm.h"

#define ADDRESS 0xfd000000u
#define GLYPHS 4u

/* A blank, a box without its lower sides, stripes, and a diagonal: all ways round differ. */
const uint8_t font_glyph[FONT_MOST][FONT_ROWS] = {
	{0},
	{0xff, 0x81, 0x81, 0x81, 0x81, 0x81, 0x81, 0x81, [15] = 0xff},
	{0xaa, 0, 0xaa, 0, 0xaa, 0, 0xaa},
	{0x80, 0x80, 0x40, 0x40, 0x20, 0x20, 0x10, 0x10, 8, 8, 4, 4, 2, 2, 1, 1},
};

/* VGA's colours: red, green and blue, from text mode's numbers. */
static const uint32_t colours[] = {
	0x000000, 0x0000aa, 0x00aa00, 0x00aaaa, 0xaa0000, 0xaa00aa, 0xaa5500, 0xaaaaaa,
	0x555555, 0x5555ff, 0x55ff55, 0x55ffff, 0xff5555, 0xff55ff, 0xffff55, 0xffffff,
};

/* A buffer whose rows are longer than what is seen of them, and which no cells fill. */
static const struct framebuffer odd = {ADDRESS, 456, 101, 57, 32, 16, 8, 0};
static const struct framebuffer turned = {ADDRESS, 404, 101, 57, 32, 8, 16, 24};
#define COLUMNS 12u
#define ROWS 3u

static uint32_t buffer[57][456 / 4];	   /* with odd's pitch; turned's fits, too */
static uint16_t kept[TERM_COLUMNS * TERM_ROWS + PAGE / 2];
static bool no_memory;
static size_t mapped;
static const struct framebuffer *fb;
static const struct term_screen *screen;

void *frame_alloc_n(size_t n)
{
	assert_true(n * PAGE <= sizeof(kept));
	return no_memory ? NULL : kept;
}

void *map_device(uint32_t pa, size_t n)
{
	assert_int_equal(pa, ADDRESS);
	mapped = n;
	return buffer;
}

static uint32_t *point(unsigned y, unsigned x)
{
	return (uint32_t *)(void *)((uint8_t *)buffer + y * fb->pitch) + x;
}

/* What stands in a point that nobody has drawn: each has something else. */
static uint32_t noise(unsigned y, unsigned x)
{
	return 0x01234567u * (y + 1) ^ 0x89abcdefu * (x + 1);
}

static void make_noise(void)
{
	for (unsigned y = 0; y < fb->height; y++)
		for (unsigned x = 0; x < fb->pitch / 4; x++)
			*point(y, x) = noise(y, x);
}

static uint32_t colour(unsigned i)
{
	return (colours[i] >> 16) << fb->red | (colours[i] >> 8 & 0xff) << fb->green |
	       (colours[i] & 0xff) << fb->blue;
}

/* Every point is as the cells say; where they say -1, and outside of them, is noise. */
static void check(const int cell[ROWS][COLUMNS])
{
	for (unsigned y = 0; y < fb->height; y++)
		for (unsigned x = 0; x < fb->pitch / 4; x++) {
			unsigned row = y / FONT_ROWS, column = x / 8;
			int c = row < ROWS && column < COLUMNS ? cell[row][column] : -1;
			uint32_t want = c < 0 ? noise(y, x) :
				font_glyph[c & 0xff][y % FONT_ROWS] & 0x80 >> x % 8 ?
				colour(c >> 8 & 15) : colour((unsigned)c >> 12);
			assert_int_equal(*point(y, x), want);
		}
}

static void start(const struct framebuffer *which)
{
	fb = which;
	screen = fb_init(fb);
	assert_non_null(screen);
	assert_int_equal(screen->columns, COLUMNS);
	assert_int_equal(screen->rows, ROWS);
	make_noise();
}

/* All cells with glyphs and colours of their own; what is outside of them stays. */
static void v2_draws_cells(void **state)
{
	static const struct framebuffer *const each[] = {&odd, &turned};
	uint16_t cells[ROWS][COLUMNS];
	int want[ROWS][COLUMNS];

	for (unsigned i = 0; i < nelem(each); i++) {
		start(each[i]);
		for (unsigned row = 0; row < ROWS; row++) {
			for (unsigned k = 0; k < COLUMNS; k++) {
				unsigned look = (row * COLUMNS + k) * 0x1d;

				cells[row][k] = (uint16_t)(look << 8 | k % GLYPHS);
				want[row][k] = cells[row][k];
			}
		}
		screen->show(0, 1, cells[0]);
		screen->show(1, ROWS - 1, cells[1]);
		check(want);
	}
}

/* What is drawn depends on nothing in the buffer, and cells that are as they were are not drawn. */
static void v2_draws_what_changed(void **state)
{
	uint16_t cells[COLUMNS] = {0};
	int want[ROWS][COLUMNS];

	start(&odd);
	for (unsigned row = 0; row < ROWS; row++)
		screen->show(row, 1, cells);
	memset(want, -1, sizeof(want));
	make_noise();
	screen->show(1, 1, cells);
	check(want);
	cells[5] = 0x1e02; /* another glyph and other colours; colours alone */
	cells[11] = 0x4000;
	screen->show(1, 1, cells);
	want[1][5] = 0x1e02;
	want[1][11] = 0x4000;
	check(want);
}

/* The cell that has the cursor has its colours exchanged, until the cursor is elsewhere. */
static void v2_cursor(void **state)
{
	uint16_t cells[COLUMNS] = {[3] = 0x1e03, [4] = 0x2f01};
	int want[ROWS][COLUMNS];

	start(&odd);
	screen->cursor(ROWS, 0);
	for (unsigned row = 0; row < ROWS; row++)
		screen->show(row, 1, cells);
	memset(want, -1, sizeof(want));
	make_noise();
	screen->cursor(2, 3);
	want[2][3] = 0xe103;
	check(want);
	screen->cursor(2, 4);
	want[2][3] = 0x1e03;
	want[2][4] = 0xf201;
	check(want);
	cells[4] = 0x0702; /* the cell changes below it */
	screen->show(2, 1, cells);
	screen->cursor(2, 4);
	want[2][4] = 0x7002;
	check(want);
	screen->cursor(ROWS, 4); /* none */
	want[2][4] = 0x0702;
	check(want);
	make_noise();
	screen->cursor(ROWS, 0);
	memset(want, -1, sizeof(want));
	check(want);
}

static void v2_sizes(void **state)
{
	static const struct {
		uint32_t pitch, width, height;
		unsigned columns, rows;
	} t[] = {
		{2560, 640, 480, 80, 30}, {3200, 800, 600, 100, 37}, {5504, 1366, 768, 170, 48},
		{15360, 3840, 2160, 480, 135}, {20480, 5120, 2880, 480, 135}, {64, 16, 32, 2, 2},
	};

	for (unsigned i = 0; i < nelem(t); i++) {
		struct framebuffer any = {ADDRESS, t[i].pitch, t[i].width, t[i].height,
					  32, 16, 8, 0};

		screen = fb_init(&any);
		assert_int_equal(screen->columns, t[i].columns);
		assert_int_equal(screen->rows, t[i].rows);
		assert_int_equal(mapped, t[i].rows * FONT_ROWS * t[i].pitch);
	}
	assert_true(fake_logged("1366 by 768 points at 0xfd000000, 170 by 48 characters"));
}

/* Others than those of 32 bits are refused in words, and so is one without memory for its cells. */
static void v2_refuses(void **state)
{
	static const uint32_t bits[] = {8, 15, 16, 24};

	for (unsigned i = 0; i < nelem(bits); i++) {
		struct framebuffer other = odd;

		other.bits = bits[i];
		assert_null(fb_init(&other));
		assert_true(fake_logged("bits a point: only 32 can be used"));
	}
	no_memory = true;
	mapped = 0;
	assert_null(fb_init(&odd));
	assert_int_equal(mapped, 0);
	no_memory = false;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(v2_draws_cells), cmocka_unit_test(v2_draws_what_changed),
		cmocka_unit_test(v2_cursor), cmocka_unit_test(v2_sizes),
		cmocka_unit_test(v2_refuses),
	};

	return RUN(tests, NULL, NULL);
}
