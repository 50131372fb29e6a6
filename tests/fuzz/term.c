/*
 * What programs write to the screen's terminal: drivers/console/term.c. The first two bytes choose
 * the size of the screen, the third whether there are spare pages. The rest is written piece by
 * piece: NUL ends one, and the byte after it says how many lines to look back then, or forward.
 * Runs: 8000
 * Links: drivers/console/term.c drivers/console/sgr.c tests/drivers/fakes.c
 */
#include "drivers/console/font.h"
#include "drivers/console/term.h"
#include "tests/drivers/fakes.h"
#include "tests/fuzz/fuzz.h"

#define GLYPHS 200u	/* of the font below */
#define UNSET 0xffffu	/* of a cell that nobody wrote: there is no such glyph */
#define CELLS (TERM_PAGE / sizeof(uint16_t))

/* A font in which many characters share a glyph. */
uint8_t font_find(uint32_t code)
{
	return (uint8_t)(code >= ' ' && code < 0x7f ? code - ' ' : 0x5f + code % (GLYPHS - 0x5f));
}

static struct term term;
static struct term_screen screen;
static uint16_t *shown;			    /* what is on the screen */
static void *page[TERM_PAGES], *first_page; /* to be freed */
static unsigned npage, cursor_row, cursor_column;

static void need(bool so)
{
	if (!so)
		abort();
}

static void show(unsigned row, unsigned n, const uint16_t *cell)
{
	need(n > 0 && row < screen.rows && n <= screen.rows - row);
	for (unsigned i = 0; i < n * screen.columns; i++)
		need((cell[i] & 0xff) < GLYPHS);
	memcpy(shown + row * screen.columns, cell, n * screen.columns * sizeof(*cell));
}

static void cursor(unsigned row, unsigned column)
{
	need(row <= screen.rows && column < screen.columns);
	cursor_row = row;
	cursor_column = column;
}

/* Return a page of its own, so that what is read or written beside it is seen. */
static void *new_page(size_t n)
{
	uint16_t *p = malloc(n * TERM_PAGE);

	for (size_t i = 0; i < n * CELLS; i++)
		p[i] = UNSET;
	return p;
}

static const uint16_t *line(unsigned n)
{
	return term.page[n / term.per % TERM_PAGES] + n % term.per * screen.columns;
}

/* What holds after each call: lines are where they can be, and what the screen shows is theirs. */
static void check(void)
{
	const struct term *t = &term;
	unsigned most = TERM_BACK + 2 * t->per + 2 * screen.rows;

	need(t->at.row < screen.rows && t->at.column <= screen.columns);
	need(t->top + 1 < t->bottom && t->bottom <= screen.rows);
	need(t->oldest * t->per + t->view <= t->first);
	need(t->first + screen.rows <= t->end * t->per);
	need(t->end - t->oldest <= TERM_PAGES && t->first - t->oldest * t->per <= most);
	need(memchr(t->answer, 0, sizeof(t->answer)) != NULL);
	for (unsigned row = 0; row < screen.rows; row++)
		need(memcmp(shown + row * screen.columns, line(t->first - t->view + row),
			    screen.columns * sizeof(*shown)) == 0);
	if (t->view || t->no_cursor)
		need(cursor_row == screen.rows);
	else
		need(cursor_row == t->at.row && cursor_column <= t->at.column);
}

/* No two pages that hold lines are one. */
static void check_pages(void)
{
	for (unsigned i = term.oldest; i < term.end; i++)
		for (unsigned k = term.oldest; k < i; k++)
			need(term.page[i % TERM_PAGES] != term.page[k % TERM_PAGES]);
}

static void write(const uint8_t *s, size_t n)
{
	uint8_t *copy = malloc(n ? n : 1);

	memcpy(copy, s, n);
	term_write(&term, (const char *)copy, n);
	free(copy);
	need(term.view == 0);
	check();
	term.answer[0] = 0;
}

static void setup(unsigned columns, unsigned rows)
{
	screen = (struct term_screen){2 + columns % (TERM_COLUMNS - 1), 2 + rows % (TERM_ROWS - 1),
				      show, cursor};
	shown = malloc(screen.columns * screen.rows * sizeof(*shown));
	first_page = new_page(term_pages(&screen));
	term_init(&term, &screen, first_page);
	check();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	if (n < 3)
		return -1;
	bool spares = data[2] & 1;
	setup(data[0] * (data[2] & 2 ? 2u : 1u), data[1]);
	for (size_t at = 3, end; at < n; at = end + 2) {
		const uint8_t *nul = memchr(data + at, 0, n - at);

		end = nul ? (size_t)(nul - data) : n;
		if (spares && !term.spare && npage < TERM_PAGES)
			term.spare = page[npage++] = new_page(1);
		write(data + at, end - at);
		if (end + 1 < n) {
			term_look(&term, (int8_t)data[end + 1]);
			check();
		}
	}
	check_pages();
	while (npage > 0)
		free(page[--npage]);
	free(first_page);
	free(shown);
	return 0;
}
