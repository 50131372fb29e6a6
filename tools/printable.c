/* Text from a guest or a file for people: see printable.h. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/printable.h"

#define SHOWN 9 /* bytes that one character takes at most, with a 0 */
#define NOT_UTF8 UINT32_MAX

/* Characters that are not shown as they are, beside those below a blank. */
static const struct {
	uint32_t first, last;
} hidden[] = {
	{0x7f, 0x9f},	    /* delete, and the second set of control characters */
	{0x61c, 0x61c},	    /* marks of direction */
	{0x200b, 0x200f},   /* what has no width, and marks of direction */
	{0x2028, 0x202e},   /* ends of lines and paragraphs, embedding, overriding */
	{0x2060, 0x206f},   /* isolating, and what is invisible */
	{0xfeff, 0xfeff},   /* byte order mark */
	{0xe0000, 0xe007f}, /* tags */
};

/* Return how many bytes a character has that begins with this one; 0: none does. */
static unsigned length_by(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xc2)
		return 0;
	if (first < 0xe0)
		return 2;
	if (first < 0xf0)
		return 3;
	if (first < 0xf5)
		return 4;
	return 0;
}

/* Return whether n bytes may not be a character: too many, half of a pair, too large a code. */
static bool is_bad_code(uint32_t c, unsigned n)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};

	if (c < least[n])
		return true;
	if (c >= 0xd800 && c < 0xe000)
		return true;
	return c > 0x10ffff;
}

/* Read a character, and go past it; NOT_UTF8: one byte that is none. */
static uint32_t next_character(const char **text)
{
	const unsigned char *s = (const unsigned char *)*text;
	unsigned i, n = length_by(s[0]);
	uint32_t c = s[0];

	++*text;
	if (n == 1)
		return c;
	if (n == 0)
		return NOT_UTF8;
	c &= 0x7f >> n;
	for (i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return NOT_UTF8;
		c = c << 6 | (s[i] & 0x3f);
	}
	if (is_bad_code(c, n))
		return NOT_UTF8;
	*text += n - 1;
	return c;
}

static bool is_hidden(uint32_t c)
{
	size_t i;

	if (c < ' ')
		return c != '\t';
	for (i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++)
		if (c >= hidden[i].first && c <= hidden[i].last)
			return true;
	return false;
}

/* Write how the next character is shown, and go past it. Return how many bytes that has. */
static size_t show_character(char to[SHOWN], const char **text)
{
	static const char digit[] = "0123456789abcdef";
	const char *from = *text;
	uint32_t c = next_character(text);

	if (c == NOT_UTF8) {
		*to = '?';
		return 1;
	}
	if (is_hidden(c) && c <= 0xff) {
		memcpy(to, (char[]){'\\', 'x', digit[c >> 4], digit[c & 15]}, 4);
		return 4;
	}
	if (is_hidden(c))
		return (size_t)snprintf(to, SHOWN, "\\u%04x", (unsigned)c);
	memcpy(to, from, (size_t)(*text - from));
	return (size_t)(*text - from);
}

void printable_cut(char *to, size_t room, const char *text)
{
	char shown[SHOWN];
	size_t n;

	while (*text) {
		n = show_character(shown, &text);
		if (n >= room)
			break;
		memcpy(to, shown, n);
		to += n;
		room -= n;
	}
	*to = 0;
}

void printable_lines(char *to, size_t room, char *text)
{
	char *end;
	size_t n;

	while ((end = strchr(text, '\n')) != NULL) {
		*end = 0;
		printable_cut(to, room, text);
		n = strlen(to);
		if (n + 2 > room)
			return;
		to[n] = '\n';
		to += n + 1;
		room -= n + 1;
		text = end + 1;
	}
	printable_cut(to, room, text);
}

/* Return whether the text is shown as it is. */
static bool is_printable(const char *text)
{
	uint32_t c;

	while (*text) {
		c = next_character(&text);
		if (c == NOT_UTF8 || is_hidden(c))
			return false;
	}
	return true;
}

char *printable(const char *text)
{
	size_t room = strlen(text) * (SHOWN - 1) + 1;
	char *shown, *out;

	if (is_printable(text))
		return memory_string(text, strlen(text));
	shown = memory_zeroed(room, 1);
	printable_cut(shown, room, text);
	out = memory_string(shown, strlen(shown));
	free(shown);
	return out;
}

char *printable_text(char *text)
{
	size_t room = strlen(text) * (SHOWN - 1) + 1;
	char *shown = memory_zeroed(room, 1);

	printable_lines(shown, room, text);
	return shown;
}

const char *printable_kept(struct texts *kept, const char *text)
{
	char *shown;
	size_t i;

	if (text && kept->most) {
		kept->looked += strnlen(text, kept->most - kept->looked);
		if (kept->looked == kept->most)
			return NULL;
	}
	if (!text || is_printable(text))
		return text;
	shown = printable(text);
	i = texts_number(kept, shown, strlen(shown));
	free(shown);
	return kept->text[i].text;
}
