/*
 * Keys: bytes of the console, and what terminals send for those that are no characters, by
 * ECMA-48 and xterm.
 */
#include "userland/sh/edit.h"
#include <ctype.h>

/* Sequences have at most two numbers that matter: which key, and what was held down with it. */
struct sequence {
	int number[2];
	int last; /* the character that ends it */
};

/*
 * Return the key that a sequence stands for, by its last character, or by the number before a ~.
 * An arrow with Ctrl or Alt moves by words.
 */
static int sequence_key(const struct sequence *s)
{
	static const int letters[] = {
		['A'] = KEY_UP,	  ['B'] = KEY_DOWN, ['C'] = KEY_RIGHT,
		['D'] = KEY_LEFT, ['H'] = KEY_HOME, ['F'] = KEY_LAST,
	};
	static const int numbers[] = {
		[1] = KEY_HOME, [3] = KEY_DELETE, [4] = KEY_LAST, [7] = KEY_HOME, [8] = KEY_LAST,
	};
	int key = 0;

	if (s->last == '~' && s->number[0] < (int)(sizeof(numbers) / sizeof(numbers[0])))
		key = numbers[s->number[0]];
	else if (s->last > 0 && s->last < (int)(sizeof(letters) / sizeof(letters[0])))
		key = letters[s->last];
	if (s->number[1] > 2 && key == KEY_LEFT)
		return KEY_WORD_LEFT;
	if (s->number[1] > 2 && key == KEY_RIGHT)
		return KEY_WORD_RIGHT;
	return key != 0 ? key : KEY_UNKNOWN;
}

/* Return what a character means with Alt. A control character is one in any case. */
static int alt_key(int c)
{
	if (c == 'b')
		return KEY_WORD_LEFT;
	if (c == 'f')
		return KEY_WORD_RIGHT;
	if (c == 0x7f)
		return CTRL('W');
	return c < ' ' ? c : KEY_UNKNOWN;
}

/*
 * Read the rest of a sequence that began with ESC: [ or O, numbers and semicolons, one
 * character. The answer to console_measure() is one, too.
 */
static int read_sequence(void)
{
	struct sequence s = {.number = {0, 0}};
	int c = console_read(), at = 0;

	if (c != '[' && c != 'O')
		return alt_key(c);
	for (c = console_read(); c >= 0 && (isdigit(c) || c == ';'); c = console_read()) {
		if (c == ';')
			at = 1;
		else
			s.number[at] = (s.number[at] * 10 + c - '0') % 10000;
	}
	s.last = c;
	if (c == 'R')
		console_measured(s.number[0], s.number[1]);
	return c < 0 ? c : sequence_key(&s);
}

int key_read(void)
{
	int c = console_read();

	return c == '\033' ? read_sequence() : c;
}
