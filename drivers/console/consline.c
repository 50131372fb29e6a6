/*
 * The console's line discipline, without locks or sleeping, so that it can be tested
 * anywhere. Lines are edited when a program reads, not when keys arrive: so what was
 * typed ahead is treated in the mode that its reader wants.
 */
#include "drivers/console/consline.h"
#include "drivers/console/utf8.h"

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
static void consline_show(struct echo *e, const char *s)
{
	while (*s)
		e->to[e->n++] = (uint8_t)*s++;
}

/* Return the columns that a byte takes on the screen when consline_show_byte() has shown it. */
static unsigned consline_columns(uint8_t c)
{
	if (utf8_continues(c))
		return 0;
	if (c < ' ' && c != '\t')
		return 2;
	return 1;
}

/* Show a tab as one blank, so that it can be erased, and a control character as ^X. */
static void consline_show_byte(struct echo *e, uint8_t c)
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
static void consline_erase(struct consline *l, struct echo *e)
{
	static const char *const erase[] = {"", "\b \b", "\b\b  \b\b"}; /* by its columns */
	unsigned columns = 0;

	while (columns == 0 && l->len > 0)
		columns = consline_columns(l->line[--l->len]);
	consline_show(e, erase[columns]);
}

/* Return whether the line ends in a word. */
static bool consline_in_word(const struct consline *l)
{
	if (l->len == 0)
		return false;
	uint8_t last = l->line[l->len - 1];
	return last != ' ' && last != '\t';
}

/* A line that has reached its greatest length is complete; what follows is the next one. */
static void consline_append(struct consline *l, uint8_t c)
{
	l->line[l->len++] = c;
	if (l->len == CONS_LINE)
		l->done = true;
}

/*
 * Edit the line by one byte. Return false if the byte must come again: a key that erases much does
 * so character by character.
 */
static bool consline_edit(struct consline *l, uint8_t c, struct echo *e)
{
	bool word = consline_in_word(l);

	switch (c) {
	case '\r':
	case '\n':
		consline_show(e, "\r\n");
		consline_append(l, '\n');
		l->done = true;
		return true;
	case '\b':
	case DEL:
		consline_erase(l, e);
		return true;
	case CTRL('U'):
		consline_erase(l, e);
		return l->len == 0;
	case CTRL('W'): /* blanks, and the word before them */
		consline_erase(l, e);
		if (l->len == 0)
			return true;
		return word && !consline_in_word(l);
	case CTRL('D'):
		l->done = true;
		return true;
	default:
		consline_append(l, c);
		consline_show_byte(e, c);
		return true;
	}
}

/* Return whether the line is to be edited further, and the echo has room for that. */
static bool consline_editing(const struct consline *l, const struct echo *e)
{
	if (l->raw || l->done)
		return false;
	return ring_used(&l->typed) > 0 && e->size - e->n >= ECHO_MAX;
}

/* A byte leaves the queue only when it has been dealt with. */
size_t consline_cook(struct consline *l, uint8_t *buf, size_t size)
{
	struct echo e = {.to = buf, .size = size};

	while (consline_editing(l, &e)) {
		uint8_t c = l->typed.data[l->typed.out % RING_SIZE];

		l->typed.out += consline_edit(l, c, &e);
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
