/* Classes of ASCII characters. */
#include <ctype.h>

/* Whether c is in [first, last]. */
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

/* Blank, tab, newline, vertical tab, form feed, carriage return. */
int isspace(int c)
{
	return c == ' ' || in(c, '\t', '\r');
}

int isascii(int c)
{
	return in(c, 0, 0x7f);
}

int iscntrl(int c)
{
	return in(c, 0, 0x1f) || c == 0x7f;
}

int isprint(int c)
{
	return in(c, ' ', '~');
}

int isgraph(int c)
{
	return in(c, '!', '~');
}

/* Everything that can be seen and is no letter or digit. */
int ispunct(int c)
{
	return isgraph(c) && !isalnum(c);
}

int tolower(int c)
{
	return isupper(c) ? c - 'A' + 'a' : c;
}

int toupper(int c)
{
	return islower(c) ? c - 'a' + 'A' : c;
}
