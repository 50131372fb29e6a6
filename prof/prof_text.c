/* Text for a sink: see prof_text.h. */
#include "prof/prof_text.h"

static void text_flush(struct prof_text *t)
{
	if (!t->err)
		t->err = t->to->write(t->to->arg, t->piece, t->n);
	t->n = 0;
}

void prof_text_char(struct prof_text *t, char c)
{
	t->piece[t->n++] = c;
	if (t->n == sizeof(t->piece))
		text_flush(t);
}

void prof_text_string(struct prof_text *t, const char *s)
{
	while (*s)
		prof_text_char(t, *s++);
}

static void text_number(struct prof_text *t, uint64_t n)
{
	char digit[21] = "", *at = &digit[20];
	uint64_t rest;

	do {
		rest = n > UINT32_MAX ? prof_divide(n, 10) : (uint32_t)n / 10;
		*--at = (char)('0' + (n - 10 * rest));
	} while ((n = rest) > 0);
	prof_text_string(t, at);
}

void prof_text_print(struct prof_text *t, const char *text, const uint64_t number[])
{
	for (; *text; text++) {
		if (*text == '%')
			text_number(t, *number++);
		else
			prof_text_char(t, *text);
	}
}

void prof_text_address(struct prof_text *t, prof_addr a, uint32_t digits)
{
	if (t->n + 3 + digits >= sizeof(t->piece))
		text_flush(t);
	char *at = t->piece + t->n;
	t->n += 3 + digits;
	*at++ = ';';
	*at++ = '0';
	*at++ = 'x';
	for (a = prof_sink_address(t->to, a); digits > 0; a >>= 4)
		at[--digits] = "0123456789abcdef"[a & 15];
}

int prof_text_end(struct prof_text *t)
{
	text_flush(t);
	return t->err;
}
