/*
 * The console's line discipline, without locks or sleeping, so that it can be
 * tried anywhere. Lines are edited when somebody reads, not when keys arrive: so
 * what was typed ahead is treated by the mode that its reader wants.
 */
#include "drivers/console/consline.h"

#define CTRL(c) ((c) & 0x1f)
#define DEL 0x7f
#define ECHO_MAX 8 /* room that one byte's echo needs, but for the erasing keys */

/* Where the echo is collected. */
struct echo {
	uint8_t *to;
	size_t n, size;
};

/* See consline.h, as for the public functions below. */
bool consline_ready(const struct consline *l)
{
	if (l->raw)
		return l->len > l->taken || ring_used(&l->typed) > 0;
	return l->done;
}

/* Appends a string to the echo, which has room. */
static void show(struct echo *e, const char *s)
{
	while (*s)
		e->to[e->n++] = (uint8_t)*s++;
}

/* Columns that a byte of the line takes on the screen, as show_byte() shows it. */
static unsigned columns(uint8_t c)
{
	if ((c & 0xc0) == 0x80) /* inside a UTF-8 character */
		return 0;
	return c < ' ' && c != '\t' ? 2 : 1;
}

/* A tab is shown as one blank, so that it can be erased; a control character as ^X. */
static void show_byte(struct echo *e, uint8_t c)
{
	if (c == '\t') {
		c = ' ';
	} else if (c < ' ') {
		e->to[e->n++] = '^';
		c += '@';
	}
	e->to[e->n++] = c;
}

/* Erases the last character of the line, if it has one, and wipes it off the screen. */
static void line_erase(struct consline *l, struct echo *e)
{
	while (l->len > 0) {
		unsigned n = columns(l->line[--l->len]);

		if (n == 0)
			continue;
		show(e, n == 1 ? "\b \b" : "\b\b  \b\b");
		return;
	}
}

/* What ^W takes for part of a word. */
static bool word_char(uint8_t c)
{
	return c != ' ' && c != '\t';
}

/*
 * Erases back over blanks and then a word, or the whole line; stops early when the
 * echo is full. Whether it came to the end.
 */
static bool line_erase_back(struct consline *l, struct echo *e, bool word)
{
	bool in_word = false;

	while (l->len > 0) {
		bool is_word = word_char(l->line[l->len - 1]);

		if (word && in_word && !is_word)
			return true;
		if (e->size - e->n < ECHO_MAX)
			return false;
		in_word = is_word;
		line_erase(l, e);
	}
	return true;
}

/* A line that has become too long is complete: the rest is the next one. */
static void line_append(struct consline *l, uint8_t c)
{
	l->line[l->len++] = c;
	if (l->len == CONS_LINE)
		l->done = true;
}

/* Edits the line by one byte; false when the byte is to come again, for the echo is full. */
static bool line_edit(struct consline *l, uint8_t c, struct echo *e)
{
	switch (c) {
	case '\r':
	case '\n':
		show(e, "\r\n");
		line_append(l, '\n');
		l->done = true;
		return true;
	case '\b':
	case DEL:
		line_erase(l, e);
		return true;
	case CTRL('U'):
		return line_erase_back(l, e, false);
	case CTRL('W'):
		return line_erase_back(l, e, true);
	case CTRL('D'):
		l->done = true;
		return true;
	default:
		line_append(l, c);
		show_byte(e, c);
		return true;
	}
}

/* A byte is taken from the queue only when it has been dealt with. */
size_t consline_cook(struct consline *l, uint8_t *buf, size_t size)
{
	struct echo e = {.to = buf, .size = size};

	while (!l->raw && !l->done && ring_used(&l->typed) > 0 && e.size - e.n >= ECHO_MAX) {
		uint8_t c = l->typed.data[l->typed.out & (l->typed.size - 1)];

		if (!line_edit(l, c, &e))
			break;
		l->typed.out++;
	}
	return e.n;
}

/* When the last byte of the line is taken the next one can begin. */
size_t consline_take(struct consline *l, uint8_t *buf, size_t n)
{
	size_t k = 0;

	while (k < n && l->taken < l->len)
		buf[k++] = l->line[l->taken++];
	if (l->taken == l->len) {
		l->taken = l->len = 0;
		l->done = false;
	}
	if (l->raw)
		k += ring_get(&l->typed, buf + k, n - k);
	return k;
}

/* Both what was edited and what was not looked at yet. */
void consline_flush(struct consline *l)
{
	l->typed.out = l->typed.in;
	l->taken = l->len = 0;
	l->done = false;
}
