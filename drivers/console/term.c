/*
 * The terminal: see term.h. Control functions are named as ECMA-48 names them; those that it does
 * not have (ESC 7, ESC 8, the scrolling region) are DEC's, and the other screen is xterm's.
 *
 * Lines are numbered from the first one on, and lie in pages in that order, so that to scroll all
 * of the screen moves nothing. Rows are shown once for all that is written at a time.
 */
#include "drivers/console/term.h"
#include "drivers/console/font.h"
#include "drivers/console/utf8.h"
#include "kernel/lib.h"

#define ESC 033
#define TAB 8

/* Return the line that is so many rows below row 0. */
static uint16_t *line(const struct term *t, unsigned row)
{
	unsigned n = t->first + row;

	return t->page[n / t->per % TERM_PAGES] + n % t->per * t->screen->columns;
}

/* Note that rows [from, to) must be shown. */
static void changed(struct term *t, unsigned from, unsigned to)
{
	if (from < t->from)
		t->from = from;
	if (to > t->to)
		t->to = to;
}

/* Erase n cells of a row; what is behind them has the colour that is set. */
static void erase(struct term *t, unsigned row, unsigned column, unsigned n)
{
	uint16_t *cell = line(t, row) + column, blank = t->at.colours | ' ';

	for (unsigned i = 0; i < n; i++)
		cell[i] = blank;
	changed(t, row, row + 1);
}

static void erase_rows(struct term *t, unsigned from, unsigned to)
{
	for (; from < to; from++)
		erase(t, from, 0, t->screen->columns);
}

/* Let row 0 be the next line. A page for it is the spare one or, without that, the oldest. */
static void next_line(struct term *t)
{
	uint16_t **in = &t->page[t->end % TERM_PAGES];
	unsigned most = TERM_BACK + t->screen->rows + t->per;

	if ((t->first++ + t->screen->rows) / t->per < t->end)
		return;
	if (t->spare && (t->end - t->oldest) * t->per < most) {
		*in = t->spare;
		t->spare = NULL;
	} else {
		*in = t->page[t->oldest++ % TERM_PAGES];
	}
	t->end++;
	if (t->oldest == TERM_PAGES) { /* count from here, so that no number grows for ever */
		t->first -= TERM_PAGES * t->per;
		t->oldest -= TERM_PAGES;
		t->end -= TERM_PAGES;
	}
}

/* Move the rows of the region up by one, and erase the one that comes in below. */
static void scroll(struct term *t)
{
	size_t length = t->screen->columns * sizeof(uint16_t);

	if (t->top == 0 && t->bottom == t->screen->rows && !t->on_other)
		next_line(t);
	else
		for (unsigned row = t->top; row + 1 < t->bottom; row++)
			memcpy(line(t, row), line(t, row + 1), length);
	erase(t, t->bottom - 1, 0, t->screen->columns);
	changed(t, t->top, t->bottom);
}

/* Return n if it is from 0 to size - 1, or else the one of these that is next to it. */
static unsigned within(int n, unsigned size)
{
	return n < 0 ? 0 : n < (int)size ? (unsigned)n : size - 1;
}

/* Move the cursor, but not out of the screen. */
static void move(struct term *t, int row, int column)
{
	t->at.row = within(row, t->screen->rows);
	t->at.column = within(column, t->screen->columns);
}

/* Begin the next row; at the bottom of the region, scroll. */
static void new_row(struct term *t)
{
	t->at.column = 0;
	if (t->at.row + 1 == t->bottom)
		scroll(t);
	else
		t->at.row = within((int)t->at.row + 1, t->screen->rows);
}

/* Return a blank cell with the colours that are set, for characters. */
static uint16_t blank(const struct term *t)
{
	uint16_t look = t->at.bold ? t->at.colours | 0x0800 : t->at.colours;

	return t->at.reverse ? (uint16_t)((look & 0x0f00) << 4 | (look & 0xf000) >> 4) : look;
}

static void put(struct term *t, uint32_t code)
{
	if (t->at.column == t->screen->columns)
		new_row(t);
	line(t, t->at.row)[t->at.column++] = blank(t) | font_find(code);
	changed(t, t->at.row, t->at.row + 1);
}

/* Put as many of n bytes as are ASCII text and fit into the row, and return how many: most are. */
static size_t put_ascii(struct term *t, const char *s, size_t n)
{
	uint16_t look = blank(t), *cell = line(t, t->at.row) + t->at.column;
	size_t k = 0;

	if (n > t->screen->columns - t->at.column)
		n = t->screen->columns - t->at.column;
	for (; k < n && (uint8_t)(s[k] - ' ') <= '~' - ' '; k++)
		cell[k] = look | (uint8_t)s[k];
	if (k > 0)
		changed(t, t->at.row, t->at.row + 1);
	t->at.column += k;
	return k;
}

/*
 * Do what a byte below the blank says. After a newline comes a new line, as after LNM: the kernel's
 * own text has no returns.
 */
static void control(struct term *t, uint8_t c)
{
	if (c == '\b')
		move(t, (int)t->at.row, (int)t->at.column - 1);
	else if (c == '\t')
		move(t, (int)t->at.row, ((int)t->at.column / TAB + 1) * TAB);
	else if (c == '\n')
		new_row(t);
	else if (c == '\r')
		t->at.column = 0;
	else if (c == ESC)
		t->state = TERM_ESCAPE;
}

/* RIS: begin again, as after term_init(). */
static void reset(struct term *t)
{
	t->at = t->saved = (struct term_place){.colours = TERM_PLAIN};
	t->top = 0;
	t->bottom = t->screen->rows;
	t->no_cursor = t->on_other = false;
	erase_rows(t, 0, t->screen->rows);
}

/* ESC and one byte. */
static void escape(struct term *t, uint8_t c)
{
	t->state = c == '[' ? TERM_CSI : c == ']' || c == 'P' ? TERM_STRING :
		   c < '0' ? TERM_OTHER : TERM_TEXT;
	t->narg = 0;
	t->mark = 0;
	memset(t->arg, 0, sizeof(t->arg));
	if (c == '7')
		t->saved = t->at;
	else if (c == '8')
		t->at = t->saved;
	else if (c == 'c')
		reset(t);
}

/* SGR: set how characters look. Tens say what has the colour, units which it is, 9 none of them. */
static void look(struct term *t, unsigned n)
{
	static const uint8_t vga[] = {0, 4, 2, 6, 1, 5, 3, 7}; /* red and blue are exchanged */
	unsigned tens = n / 10, units = n % 10, shift = tens & 1 ? 8 : 12;
	struct term_place *at = &t->at;

	if (n == 0) {
		*at = (struct term_place){at->row, at->column, TERM_PLAIN, false, false};
	} else if (n == 1 || n == 22) {
		at->bold = n == 1;
	} else if (n == 7 || n == 27) {
		at->reverse = n == 7;
	} else if (tens == 3 || tens == 4 || tens == 9 || tens == 10) {
		unsigned colour = units < 8 ? vga[units] + (tens > 4) * 8u : TERM_PLAIN >> shift;
		at->colours = (uint16_t)((at->colours & ~(15 << shift)) | (colour & 15) << shift);
	}
}

/* Go to the other screen, which begins empty, or back to what the first one was. */
static void other_screen(struct term *t, bool on)
{
	if (on == t->on_other)
		return;
	t->on_other = on;
	if (on) {
		t->other = t->at;
		for (unsigned row = 0; row < t->screen->rows; row++)
			next_line(t);
		erase_rows(t, 0, t->screen->rows);
	} else {
		t->at = t->other;
		t->first -= t->screen->rows;
		changed(t, 0, t->screen->rows);
	}
}

/* DSR: 5 asks how it goes, 6 where the cursor is. */
static void report(struct term *t, unsigned what)
{
	size_t had = strlen(t->answer), room = sizeof(t->answer) - had;

	if (what == 5)
		snprintf(t->answer + had, room, "\033[0n");
	else if (what == 6)
		snprintf(t->answer + had, room, "\033[%u;%uR", t->at.row + 1,
			 within((int)t->at.column, t->screen->columns) + 1);
}

/* ED and EL: erase from the cursor on (0), up to it (1), or all (2). */
static void erase_part(struct term *t, bool all_rows, unsigned which)
{
	unsigned columns = t->screen->columns, row = t->at.row;
	unsigned column = within((int)t->at.column, columns);

	if (which == 0)
		erase(t, row, column, columns - column);
	else
		erase(t, row, 0, which == 1 ? column + 1 : columns);
	if (all_rows && which != 0)
		erase_rows(t, 0, row);
	if (all_rows && which != 1)
		erase_rows(t, row + 1, t->screen->rows);
}

/* DECSTBM: rows top to bottom, from 1, scroll. */
static void set_region(struct term *t, unsigned top, unsigned bottom)
{
	if (bottom == 0 || bottom > t->screen->rows)
		bottom = t->screen->rows;
	top -= top > 0;
	if (top + 1 >= bottom)
		return;
	t->top = top;
	t->bottom = bottom;
	move(t, 0, 0);
}

/* Carry out the control sequence that c ends. */
static void sequence(struct term *t, uint8_t c)
{
	int row = (int)t->at.row, column = (int)t->at.column, n = t->arg[0] ? t->arg[0] : 1;

	t->state = TERM_TEXT;
	if (t->mark == '?' && (c == 'h' || c == 'l') && t->arg[0] == 25) /* DECTCEM */
		t->no_cursor = c == 'l';
	else if (t->mark == '?' && (c == 'h' || c == 'l') && t->arg[0] == 1049)
		other_screen(t, c == 'h');
	if (t->mark)
		return;
	if (c == 'A' || c == 'B') /* CUU, CUD */
		move(t, c == 'A' ? row - n : row + n, column);
	else if (c == 'C' || c == 'D') /* CUF, CUB */
		move(t, row, c == 'C' ? column + n : column - n);
	else if (c == 'H') /* CUP */
		move(t, n - 1, t->arg[1] - 1);
	else if (c == 'J' || c == 'K')
		erase_part(t, c == 'J', t->arg[0]);
	else if (c == 'm')
		for (unsigned i = 0; i <= t->narg && i < TERM_ARGS; i++)
			look(t, t->arg[i]);
	else if (c == 'n')
		report(t, t->arg[0]);
	else if (c == 'r')
		set_region(t, t->arg[0], t->arg[1]);
}

/* Take a byte of a control sequence. */
static void parameter(struct term *t, uint8_t c)
{
	if (c >= '@')
		sequence(t, c);
	else if (c == ';')
		t->narg++;
	else if (c < '0' || c > '9')
		t->mark = c;
	else if (t->narg < TERM_ARGS && t->arg[t->narg] < 1000)
		t->arg[t->narg] = (uint16_t)(t->arg[t->narg] * 10 + c - '0');
}

/* Take a byte of text, which may be part of a character. */
static void text(struct term *t, uint8_t c)
{
	unsigned n = utf8_length(c);

	if (t->more && utf8_continues(c)) {
		t->code = t->code << 6 | (c & 0x3f);
		if (--t->more == 0)
			put(t, t->code);
		return;
	}
	if (t->more)
		put(t, TERM_BAD); /* what had begun is no character */
	t->more = n ? n - 1 : 0;
	t->code = c & 0x7fu >> n;
	if (!n)
		put(t, c < 0x80 ? c : TERM_BAD);
}

/*
 * Take a byte. Controls count within sequences too, as on the terminals that had none but these. A
 * newline ends a string, so that one without an end does not hide all that follows.
 */
static void byte(struct term *t, uint8_t c)
{
	if (t->state == TERM_STRING && (c == '\a' || c == '\n' || c == ESC))
		t->state = c == ESC ? TERM_ESCAPE : TERM_TEXT;
	else if (t->state == TERM_STRING || c == 0x7f)
		return;
	else if (c < ' ')
		control(t, c);
	else if (t->state == TERM_ESCAPE)
		escape(t, c);
	else if (t->state == TERM_OTHER)
		t->state = c < '0' ? TERM_OTHER : TERM_TEXT;
	else if (t->state == TERM_CSI)
		parameter(t, c);
	else
		text(t, c);
}

/* Show what has changed, as many rows at a time as lie in one page. */
static void show(struct term *t)
{
	const struct term_screen *s = t->screen;

	for (unsigned row = t->from, n; row < t->to; row += n) {
		n = t->per - (t->first - t->view + row) % t->per;
		if (n > t->to - row)
			n = t->to - row;
		s->show(row, n, line(t, row - t->view));
	}
	t->from = s->rows;
	t->to = 0;
	s->cursor(t->no_cursor || t->view ? s->rows : t->at.row,
		  within((int)t->at.column, s->columns));
}

/* The other screen's lines come after the first one's: there is room for both from the start. */
unsigned term_pages(const struct term_screen *s)
{
	return (2 * s->rows - 1) / (TERM_PAGE / sizeof(uint16_t) / s->columns) + 2;
}

void term_init(struct term *t, const struct term_screen *s, void *pages)
{
	*t = (struct term){.screen = s, .end = term_pages(s)};
	t->per = TERM_PAGE / sizeof(uint16_t) / s->columns;
	for (unsigned i = 0; i < t->end; i++)
		t->page[i] = (uint16_t *)pages + i * (TERM_PAGE / sizeof(uint16_t));
	reset(t);
	show(t);
}

void term_write(struct term *t, const char *s, size_t n)
{
	term_look(t, -(int)t->view);
	for (size_t i = 0; i < n;) {
		if (t->state == TERM_TEXT && !t->more)
			i += put_ascii(t, s + i, n - i);
		if (i < n)
			byte(t, (uint8_t)s[i++]);
	}
	show(t);
}

void term_look(struct term *t, int lines)
{
	unsigned view = within((int)t->view + lines, t->first - t->oldest * t->per + 1);

	if (view == t->view)
		return;
	t->view = view;
	changed(t, 0, t->screen->rows);
	show(t);
}
