/*
 * Classes of characters (C11 7.4), in the one locale there is, C: only ASCII characters are
 * in any.
 */
#include <ctype.h>

/* Return whether c is in [first, last]. */
static int in(int c, int first, int last)
{
	return c >= first && c <= last;
}

int isdigit(int c)
{
	return in(c, '0', '9');
}

int islower(int c)
{
	return in(c, 'a', 'z');
}

int isupper(int c)
{
	return in(c, 'A', 'Z');
}

int isalpha(int c)
{
	return islower(c) || isupper(c);
}

/* Return whether c is a letter or a digit. */
int isalnum(int c)
{
	return isalpha(c) || isdigit(c);
}

int isxdigit(int c)
{
	return isdigit(c) || in(c, 'a', 'f') || in(c, 'A', 'F');
}

int isblank(int c)
{
	return c == ' ' || c == '\t';
}

/* Return whether c is a blank, tab, newline, vertical tab, form feed or carriage return. */
int isspace(int c)
{
	return c == ' ' || in(c, '\t', '\r');
}

int isascii(int c)
{
	return in(c, 0, 0x7f);
}

/* Return whether c is one of the 33 control characters, of which DEL is last. */
int iscntrl(int c)
{
	return in(c, 0, 0x1f) || c == 0x7f;
}

/* Return whether c takes a column, as a blank does. */
int isprint(int c)
{
	return in(c, ' ', '~');
}

/* Return whether c can be seen. */
int isgraph(int c)
{
	return in(c, '!', '~');
}

/* Return whether c can be seen and is neither a letter nor a digit. */
int ispunct(int c)
{
	return isgraph(c) && !isalnum(c);
}

/* Return the small letter of a capital, and anything else as it is. */
int tolower(int c)
{
	return isupper(c) ? c - 'A' + 'a' : c;
}

/* Return the capital of a small letter, and anything else as it is. */
int toupper(int c)
{
	return islower(c) ? c - 'a' + 'A' : c;
}
