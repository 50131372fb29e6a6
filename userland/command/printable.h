/* Text that comes from others, for somebody's terminal. */
#ifndef USERLAND_COMMAND_PRINTABLE_H
#define USERLAND_COMMAND_PRINTABLE_H

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

#endif
