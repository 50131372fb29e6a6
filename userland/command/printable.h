/* Text that comes from others, for somebody's terminal. */
#ifndef USERLAND_COMMAND_PRINTABLE_H
#define USERLAND_COMMAND_PRINTABLE_H

#include <stddef.h>

/*
 * Have a question mark in the place of what is not printable ASCII, a blank included: whoever made
 * the name may have put there what the terminal of who reads it obeys, or what looks like a line
 * of its own. Return the text.
 */
static inline char *printable(char *text)
{
	for (char *c = text;; c++) {
		if (*c > ' ' && *c <= '~')
			continue;
		if (!*c)
			return text;
		*c = '?';
	}
}

/* The same of the n bytes of a whole file, in which blanks, tabs and newlines stay. */
static inline void printable_file(char *text, size_t n)
{
	for (char *c = text; c < text + n; c++)
		if ((*c < ' ' && *c != '\t' && *c != '\n') || *c > '~')
			*c = '?';
}

#endif
