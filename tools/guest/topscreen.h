/* The terminal of gnomon top: its second screen, its size, and its keys. */
#ifndef TOOLS_GUEST_TOPSCREEN_H
#define TOOLS_GUEST_TOPSCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include "tools/complaint.h"

/* What topscreen_wait() returns beside characters. */
enum {
	TOPSCREEN_NOTHING = -1, /* the time is over, or a signal ends the program */
	TOPSCREEN_RESIZED = 256, /* all must be drawn anew */
	TOPSCREEN_UP,
	TOPSCREEN_DOWN,
	TOPSCREEN_PAGE_UP,
	TOPSCREEN_PAGE_DOWN,
	TOPSCREEN_ESCAPE = 27,
	TOPSCREEN_DELETE = 127,
};

/* Return whether there is a terminal that can be drawn on, by what TERM says of it. */
bool topscreen_usable(void);

/* Return whether its user wants colours: NO_COLOR is not set (https://no-color.org). */
bool topscreen_color(void);

/*
 * Show the second screen, with keys that come at once; or go back to what was there before, which
 * the end of the program does, too.
 */
void topscreen_begin(void);
void topscreen_end(void);

/* Find out how large it is. */
void topscreen_size(int *lines, int *columns);

/* Wait for a key, but no longer than that number of milliseconds (-1: no limit). */
int topscreen_wait(int ms);

/*
 * Replace what is shown by lines of text, and by one at the bottom. What does not fit is cut off.
 * 0, or -1 and *why.
 */
int topscreen_show(const char *text, const char *bottom, struct complaint *why);

/* Write n bytes, until a signal ends the program. 0, or -1 and *why. */
int topscreen_write(const char *text, size_t n, struct complaint *why);

#endif
