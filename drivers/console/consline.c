/*
 * The console's line discipline, without locks or sleeping, so that it can be tested
 * anywhere. Lines are edited when a program reads, not when keys arrive: so what was
 * typed ahead is treated in the mode that its reader wants.
 */
#include "drivers/console/consline.h"

#define CTRL(c) ((c) & 0x1f)
#define DEL 0x7f
#define ECHO_MAX 8 /* bytes that the echo of one step takes at most */

/* Where the echo is collected. */
struct echo {
	uint8_t *to;
	size_t n, size;
};

bool consline_ready(const struct consline *l)
{
	if (l->raw)
		return l->len > l->taken || ring_used(&l->typed) > 0;
	return l->done;
}

/* Append a string to the echo, which has room. */
static void show(struct echo *e, const char *s)
{
	while (*s)
		e->to[e->n++] = (uint8_t)*s++;
}

/* Return the columns that a byte takes on the screen when show_byte() has shown it. */
static unsigned columns(uint8_t c)
{
	if ((c & 0xc0) == 0x80) /* inside a UTF-8 character */
		return 0;
	return c < ' ' && c != '\t' ? 2 : 1;
}

/* Show a tab as one blank, so that it can be erased, and a control character as ^X. */
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

/* Erase the last character of the line, if it has one, also on the screen. */
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

/* Return whether the line ends in a word. */
static bool in_word(const struct consline *l)
{
	return l->len > 0 && l->line[l->len - 1] != ' ' && l->line[l->len - 1] != '\t';
}

/* A line that has reached its greatest length is complete; the rest is the next one. */
static void line_append(struct consline *l, uint8_t c)
{
	l->line[l->len++] = c;
	if (l->len == CONS_LINE)
		l->done = true;
}

/*
 * Edit the line by one byte. Return false if the byte must come again: a key that erases much does
 * so character by character.
 */
static bool line_edit(struct consline *l, uint8_t c, struct echo *e)
{
	bool word = in_word(l);

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
		line_erase(l, e);
		return l->len == 0;
	case CTRL('W'): /* blanks, and the word before them */
		line_erase(l, e);
		return l->len == 0 || (word && !in_word(l));
	case CTRL('D'):
		l->done = true;
		return true;
	default:
		line_append(l, c);
		show_byte(e, c);
		return true;
	}
}

/* A byte leaves the queue only when it has been dealt with. */
size_t consline_cook(struct consline *l, uint8_t *buf, size_t size)
{
	struct echo e = {.to = buf, .size = size};

	while (!l->raw && !l->done && ring_used(&l->typed) > 0 && e.size - e.n >= ECHO_MAX) {
		uint8_t c = l->typed.data[l->typed.out % RING_SIZE];

		l->typed.out += line_edit(l, c, &e);
	}
	return e.n;
}

/* Once the last byte of the line is taken, the next line can begin. */
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

void consline_flush(struct consline *l)
{
	l->typed.out = l->typed.in;
	l->taken = l->len = 0;
	l->done = false;
}
