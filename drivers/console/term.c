/*
 * The terminal: see term.h. Control functions are named as ECMA-48 names them; those that it does
 * not have (ESC 7, ESC 8, the scrolling region) are DEC's, and the alternate screen is xterm's.
 *
 * Lines are numbered from the first one on, and lie in pages in that order, so that to scroll all
 * of the screen moves nothing. The rows that one write changes are shown
 * once, at its end.
 */
#include "drivers/console/term.h"
#include "drivers/console/font.h"
#include "drivers/console/utf8.h"
#include "kernel/machine/lib.h"
#include "kernel/machine/print.h"
#include "kernel/machine/string.h"

#define ESC 033
#define TAB 8

/* Return the line that a row shows. */
static uint16_t *term_line(const struct term *t, unsigned row)
{
	unsigned n = t->first + row;

	return t->page[n / t->per % TERM_PAGES] + n % t->per * t->screen->columns;
}

/* Note that rows [from, to) must be shown. */
static void term_changed(struct term *t, unsigned from, unsigned to)
{
	if (from < t->from)
		t->from = from;
	if (to > t->to)
		t->to = to;
}

/* Erase n cells of a row; their background has the colour that is set. */
static void term_erase(struct term *t, unsigned row, unsigned column, unsigned n)
{
	uint16_t *cell = term_line(t, row) + column, blank = t->at.look.colours | ' ';

	for (unsigned i = 0; i < n; i++)
		cell[i] = blank;
	term_changed(t, row, row + 1);
}

static void term_erase_rows(struct term *t, unsigned from, unsigned to)
{
	for (; from < to; from++)
		term_erase(t, from, 0, t->screen->columns);
}

/* Let row 0 be the next line. A page for it is the spare one or, without that, the oldest. */
static void term_next_line(struct term *t)
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
static void term_scroll(struct term *t)
{
	size_t length = t->screen->columns * sizeof(uint16_t);

	if (t->top == 0 && t->bottom == t->screen->rows && !t->alternate)
		term_next_line(t);
	else
		for (unsigned row = t->top; row + 1 < t->bottom; row++)
			memcpy(term_line(t, row), term_line(t, row + 1), length);
	term_erase(t, t->bottom - 1, 0, t->screen->columns);
	term_changed(t, t->top, t->bottom);
}

/* Return n if it is from 0 to size - 1, or else whichever of these two is nearer. */
static unsigned term_within(int n, unsigned size)
{
	if (n < 0)
		return 0;
	return (unsigned)min_size((size_t)n, size - 1);
}

/* Move the cursor, but not out of the screen. */
static void term_move(struct term *t, int row, int column)
{
	t->at.row = term_within(row, t->screen->rows);
	t->at.column = term_within(column, t->screen->columns);
}

/* Begin the next row; at the bottom of the region, scroll. */
static void term_new_row(struct term *t)
{
	t->at.column = 0;
	if (t->at.row + 1 == t->bottom)
		term_scroll(t);
	else
		t->at.row = term_within((int)t->at.row + 1, t->screen->rows);
}

/* Return a blank cell with the colours that are set, for characters. */
static uint16_t term_blank(const struct term *t)
{
	uint16_t look = t->at.look.colours;

	if (t->at.look.bold)
		look |= 0x0800;
	if (t->at.look.reverse)
		look = (uint16_t)((look & 0x0f00) << 4 | (look & 0xf000) >> 4);
	return look;
}

static void term_put(struct term *t, uint32_t code)
{
	if (t->at.column == t->screen->columns)
		term_new_row(t);
	term_line(t, t->at.row)[t->at.column++] = term_blank(t) | font_find(code);
	term_changed(t, t->at.row, t->at.row + 1);
}

/* Put as many of n bytes as are ASCII text and fit into the row, and return how many: most are. */
static size_t term_put_ascii(struct term *t, const char *s, size_t n)
{
	uint16_t look = term_blank(t), *cell = term_line(t, t->at.row) + t->at.column;
	size_t k = 0;

	n = min_size(n, t->screen->columns - t->at.column);
	for (; k < n && (uint8_t)(s[k] - ' ') <= '~' - ' '; k++)
		cell[k] = look | (uint8_t)s[k];
	if (k > 0)
		term_changed(t, t->at.row, t->at.row + 1);
	t->at.column += k;
	return k;
}

/*
 * Do what a byte below the blank says. A newline begins a new line at its first column, as after
 * LNM: the kernel's own text has no returns.
 */
static void term_control(struct term *t, uint8_t c)
{
	if (c == '\b')
		term_move(t, (int)t->at.row, (int)t->at.column - 1);
	else if (c == '\t')
		term_move(t, (int)t->at.row, ((int)t->at.column / TAB + 1) * TAB);
	else if (c == '\n')
		term_new_row(t);
	else if (c == '\r')
		t->at.column = 0;
	else if (c == ESC)
		t->state = TERM_ESCAPE;
}

/* RIS: begin again, as after term_init(). */
static void term_reset(struct term *t)
{
	t->at = t->saved = (struct term_place){.look.colours = SGR_PLAIN};
	t->top = 0;
	t->bottom = t->screen->rows;
	t->no_cursor = t->alternate = false;
	term_erase_rows(t, 0, t->screen->rows);
}

/* ESC and one byte. A byte below '0' has another one after it, and both are passed over. */
static void term_escape(struct term *t, uint8_t c)
{
	t->narg = 0;
	t->mark = 0;
	memset(t->arg, 0, sizeof(t->arg));
	t->state = c < '0' ? TERM_SKIP : TERM_TEXT;
	switch (c) {
	case '[':
		t->state = TERM_CSI;
		break;
	case ']':
	case 'P':
		t->state = TERM_STRING;
		break;
	case '7': /* DECSC: save what belongs to the cursor */
		t->saved = t->at;
		break;
	case '8': /* DECRC: restore it */
		t->at = t->saved;
		break;
	case 'c':
		term_reset(t);
		break;
	}
}

/* SGR: set how characters look. */
static void term_attributes(struct term *t, int)
{
	for (unsigned i = 0; i <= t->narg && i < TERM_ARGS; i++)
		sgr_set(&t->at.look, t->arg[i]);
}

/* Mode 1049: go to the alternate screen, which begins empty, or back to the first as it was. */
static void term_switch(struct term *t, int mode, bool alternate)
{
	if (mode != 1049 || alternate == t->alternate)
		return;
	t->alternate = alternate;
	if (alternate) {
		t->saved_first = t->at;
		for (unsigned row = 0; row < t->screen->rows; row++)
			term_next_line(t);
		term_erase_rows(t, 0, t->screen->rows);
	} else {
		t->at = t->saved_first;
		t->first -= t->screen->rows;
		term_changed(t, 0, t->screen->rows);
	}
}

/* SM: set a private mode: 25, DECTCEM, shows the cursor, 1049 the alternate screen. */
static void term_set_mode(struct term *t, int mode)
{
	t->no_cursor &= mode != 25;
	term_switch(t, mode, true);
}

/* RM: reset it. */
static void term_reset_mode(struct term *t, int mode)
{
	t->no_cursor |= mode == 25;
	term_switch(t, mode, false);
}

/* DSR: 5 asks whether all is well, 6 where the cursor is. */
static void term_report(struct term *t, int)
{
	char *to = t->answer + strlen(t->answer);
	size_t room = (size_t)(t->answer + sizeof(t->answer) - to);

	if (t->arg[0] == 5)
		snprintf(to, room, "\033[0n");
	else if (t->arg[0] == 6)
		snprintf(to, room, "\033[%u;%uR", t->at.row + 1,
			 (unsigned)min_size(t->at.column + 1, t->screen->columns));
}

/* EL: erase the row from the cursor on (0), up to it (1), or all of it (2). */
static void term_erase_row(struct term *t, int)
{
	unsigned columns = t->screen->columns, row = t->at.row;
	unsigned column = term_within((int)t->at.column, columns);
	unsigned from = t->arg[0] ? 0 : column;
	unsigned to = t->arg[0] == 1 ? column + 1 : columns;

	term_erase(t, row, from, to - from);
}

/* ED: the same of the screen. */
static void term_erase_screen(struct term *t, int n)
{
	term_erase_row(t, n);
	if (t->arg[0] != 0)
		term_erase_rows(t, 0, t->at.row);
	if (t->arg[0] != 1)
		term_erase_rows(t, t->at.row + 1, t->screen->rows);
}

/* DECSTBM: rows top to bottom, from 1, scroll. */
static void term_set_region(struct term *t, int)
{
	unsigned top = t->arg[0], bottom = t->arg[1];

	if (!in_range(bottom, 1, t->screen->rows + 1))
		bottom = t->screen->rows;
	top -= top > 0;
	if (top + 1 >= bottom)
		return;
	t->top = top;
	t->bottom = bottom;
	term_move(t, 0, 0);
}

/* CUP: move the cursor to a row and a column, from 1. */
static void term_go(struct term *t, int row)
{
	term_move(t, row - 1, t->arg[1] - 1);
}

/*
 * Control sequences by the byte that marks them as private, if any, and the byte that ends them. n
 * is the first number, or 1 if that is 0 or is not given.
 */
static const struct term_sequence {
	uint8_t mark, final;
	void (*run)(struct term *t, int n); /* or NULL, and the cursor moves by n: */
	int down, right;
} term_sequences[] = {
	{0, 'A', .down = -1}, /* CUU */
	{0, 'B', .down = 1}, /* CUD */
	{0, 'C', .right = 1}, /* CUF */
	{0, 'D', .right = -1}, /* CUB */
	{0, 'H', .run = term_go},
	{0, 'J', .run = term_erase_screen},
	{0, 'K', .run = term_erase_row},
	{0, 'm', .run = term_attributes},
	{0, 'n', .run = term_report},
	{0, 'r', .run = term_set_region},
	{'?', 'h', .run = term_set_mode},
	{'?', 'l', .run = term_reset_mode},
};

/* Carry out the control sequence that c ends. */
static void term_sequence(struct term *t, uint8_t c)
{
	int n = t->arg[0] ? t->arg[0] : 1;

	t->state = TERM_TEXT;
	for (unsigned i = 0; i < nelem(term_sequences); i++) {
		const struct term_sequence *s = &term_sequences[i];

		if (s->final != c || s->mark != t->mark)
			continue;
		if (s->run)
			s->run(t, n);
		else
			term_move(t, (int)t->at.row + n * s->down,
				  (int)t->at.column + n * s->right);
	}
}

/* Take a byte of a control sequence. */
static void term_parameter(struct term *t, uint8_t c)
{
	if (c >= '@')
		term_sequence(t, c);
	else if (c == ';')
		t->narg++;
	else if (!in_range(c, '0', '9' + 1))
		t->mark = c;
	else if (t->narg < TERM_ARGS && t->arg[t->narg] < 1000)
		t->arg[t->narg] = (uint16_t)(t->arg[t->narg] * 10 + c - '0');
}

/* Take a byte of text, which may be part of a character. Inlined, it would need more stack. */
static __attribute__((noinline)) void term_text(struct term *t, uint8_t c)
{
	unsigned n = utf8_length(c);

	if (t->more && utf8_continues(c)) {
		t->code = t->code << 6 | (c & 0x3f);
		if (--t->more == 0)
			term_put(t, t->code);
		return;
	}
	if (t->more)
		term_put(t, TERM_BAD); /* what had begun is no character */
	t->more = n - (n > 0);
	t->code = c & 0x7fu >> n;
	if (n == 0)
		term_put(t, c < 0x80 ? c : TERM_BAD);
}

/*
 * Take a byte. Those of a string are passed over. A bell or ESC ends it; so does a newline, or a
 * string without an end would hide all that follows. Controls take effect within sequences, too,
 * as on the terminals that had nothing else.
 */
static void term_byte(struct term *t, uint8_t c)
{
	if (t->state == TERM_STRING) {
		if (c == ESC)
			t->state = TERM_ESCAPE;
		else if (c == '\a' || c == '\n')
			t->state = TERM_TEXT;
		return;
	}
	if (c == 0x7f)
		return;
	if (c < ' ')
		term_control(t, c);
	else if (t->state == TERM_ESCAPE)
		term_escape(t, c);
	else if (t->state == TERM_CSI)
		term_parameter(t, c);
	else if (t->state == TERM_TEXT)
		term_text(t, c);
	else if (c >= '0') /* the end of what TERM_SKIP passes over */
		t->state = TERM_TEXT;
}

/* Show what has changed, as many rows at a time as lie in one page. */
static void term_show(struct term *t)
{
	const struct term_screen *s = t->screen;

	for (unsigned row = t->from, n; row < t->to; row += n) {
		n = t->per - (t->first - t->view + row) % t->per; /* to the end of the page */
		n = min_size(n, t->to - row);
		s->show(row, n, term_line(t, row - t->view));
	}
	t->from = s->rows;
	t->to = 0;
	if (t->no_cursor || t->view)
		s->cursor(s->rows, 0); /* nowhere */
	else
		s->cursor(t->at.row, term_within((int)t->at.column, s->columns));
}

/* The alternate screen's lines come after the first one's: there is room for both at once. */
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
	term_reset(t);
	term_show(t);
}

void term_write(struct term *t, const char *s, size_t n)
{
	const char *end = s + n;

	term_look(t, -(int)t->view);
	while (s < end) {
		if (t->state == TERM_TEXT && !t->more)
			s += term_put_ascii(t, s, (size_t)(end - s));
		if (s < end)
			term_byte(t, (uint8_t)*s++);
	}
	term_show(t);
}

void term_look(struct term *t, int lines)
{
	unsigned view = term_within((int)t->view + lines, t->first - t->oldest * t->per + 1);

	if (view == t->view)
		return;
	t->view = view;
	term_changed(t, 0, t->screen->rows);
	term_show(t);
}
