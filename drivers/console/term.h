/*
 * A terminal for a screen of character cells: the control functions of ECMA-48 that our programs
 * send, in UTF-8, with lines to look back at. It knows no hardware, takes no lock and never sleeps.
 */
#pragma once

#include <stddef.h>
#include "drivers/console/sgr.h"

#define TERM_PAGE 4096u
#define TERM_BACK 1000u	     /* lines to look back at */
#define TERM_COLUMNS 480u    /* the largest screen: 3840 by 2160 points */
#define TERM_ROWS 135u
#define TERM_PAGES 288u	     /* enough for the lines, however wide */
#define TERM_ARGS 8u	     /* numbers of a control sequence; further ones are ignored */
#define TERM_BAD UINT32_MAX  /* what stands for bytes that are no character */

/*
 * A cell is a glyph of font.h and, from bit 8 on, its colours as VGA's text mode has them: four
 * bits for the glyph, four for the background.
 */

/* Where a terminal is shown. */
struct term_screen {
	unsigned columns, rows; /* 2 of each up to TERM_COLUMNS by TERM_ROWS */
	/* Show n rows from that one on, whose cells follow each other. */
	void (*show)(unsigned row, unsigned n, const uint16_t *cell);
	void (*cursor)(unsigned row, unsigned column); /* at row `rows`: shows none */
};

/* What ESC 7 saves and ESC 8 restores. */
struct term_place {
	unsigned row, column; /* in column `columns`, the next character begins a new line */
	struct sgr look;      /* of the characters that are written */
};

/* What has come of a character or a control sequence; a TERM_SKIP one is passed over. */
enum term_state { TERM_TEXT, TERM_ESCAPE, TERM_SKIP, TERM_CSI, TERM_STRING };

struct term {
	const struct term_screen *screen;
	uint16_t *page[TERM_PAGES]; /* of lines: those that are there are [oldest, end) */
	void *spare;		    /* a page for further lines, if somebody has given it */
	unsigned oldest, end, per;  /* per: lines in a page */
	unsigned first, view;	    /* the line of row 0; how many lines back the screen looks */
	unsigned from, to;	    /* rows [from, to) have changed since they were shown */
	unsigned top, bottom;	    /* rows that scroll: [top, bottom) */
	struct term_place at;	    /* the cursor, and how characters look */
	struct term_place saved;    /* by ESC 7 */
	struct term_place saved_first; /* the first screen's, while the alternate one is shown */
	bool alternate, no_cursor;
	enum term_state state;
	uint32_t code;	      /* of a UTF-8 character */
	unsigned more, narg;  /* bytes of it to come; numbers of the sequence before this */
	uint16_t arg[TERM_ARGS];
	uint8_t mark;	      /* '?' or another byte that makes a sequence private; 0 */
	char answer[32];      /* to what programs asked, as if typed; a string, to be taken */
};

/* Return how many pages of cells a terminal for that screen begins with. */
unsigned term_pages(const struct term_screen *s);

/* Begin with an empty screen in these pages, which are contiguous. */
void term_init(struct term *t, const struct term_screen *s, void *pages);

/*
 * Write n bytes, and show what they change. Who looked back sees the end again. Old lines give way
 * to new ones unless there is a spare page.
 */
void term_write(struct term *t, const char *s, size_t n);

/* Look that many lines further back, or, below 0, forward. */
void term_look(struct term *t, int lines);
