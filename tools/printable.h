/*
 * Text from a guest or a file for people: their terminal, their browser, their spreadsheet. Names
 * in a file that somebody made can hold what a terminal obeys, or what makes text look like
 * another; all that reads such text passes it through this before it goes anywhere.
 *
 * Control characters and marks that turn the direction of text are shown as \x1b and \u202e, and
 * each byte that is not UTF-8 as a question mark. A tab stays.
 */
#ifndef TOOLS_PRINTABLE_H
#define TOOLS_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include "tools/texts.h"

/* Return the text as it is shown; the caller frees it. */
char *printable(const char *text);

/* The same of a text of several lines, which stay lines; that is changed. */
char *printable_text(char *text);

/* Write as much of it as fits `room` bytes with the 0 at the end. */
void printable_cut(char *to, size_t room, const char *text);

/* The same of a text of several lines. */
void printable_lines(char *to, size_t room, char *text);

/*
 * Return the text itself if it is shown as it is, else one that lasts as long as *kept. NULL: the
 * text is, or kept->most characters were looked at: many names can be in the same few bytes.
 */
const char *printable_kept(struct texts *kept, const char *text);

#endif
