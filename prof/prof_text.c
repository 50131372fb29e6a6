/* Text for a sink: see prof_text.h. */
#include "prof/prof_text.h"

void prof_text_flush(struct prof_text *t)
{
	if (!t->err)
		t->err = t->to->write(t->to->arg, t->piece, t->n);
	t->n = 0;
}

void prof_text_string(struct prof_text *t, const char *s)
{
	while (*s)
		prof_text_char(t, *s++);
}

static void text_number(struct prof_text *t, uint64_t n)
{
	char digit[21] = "", *at = &digit[20];
	uint32_t rest;

	while (n > UINT32_MAX) {
		uint64_t billions = prof_divide(n, 1000000000);

		rest = (uint32_t)(n - 1000000000 * billions);
		for (int i = 0; i < 9; i++, rest /= 10)
			*--at = (char)('0' + rest % 10);
		n = billions;
	}
	rest = (uint32_t)n;
	do
		*--at = (char)('0' + rest % 10);
	while ((rest /= 10) > 0);
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

/* The hexadecimal digits of each byte. */
#define SIXTEEN(h) \
	h "0" h "1" h "2" h "3" h "4" h "5" h "6" h "7" \
	h "8" h "9" h "a" h "b" h "c" h "d" h "e" h "f"
static const char hex[] =
	SIXTEEN("0") SIXTEEN("1") SIXTEEN("2") SIXTEEN("3") SIXTEEN("4") SIXTEEN("5")
	SIXTEEN("6") SIXTEEN("7") SIXTEEN("8") SIXTEEN("9") SIXTEEN("a") SIXTEEN("b")
	SIXTEEN("c") SIXTEEN("d") SIXTEEN("e") SIXTEEN("f");

void prof_text_steps(struct prof_text *t, const prof_addr *a, uint32_t n, uint32_t digits)
{
	while (n-- > 0) {
		if (t->n + 3 + digits >= sizeof(t->piece))
			prof_text_flush(t);
		char *start = t->piece + t->n, *at = start + 3 + digits;
		t->n += 3 + digits;
		__builtin_memcpy(start, ";0x", 3);
		for (prof_addr left = prof_sink_address(t->to, a[n]); at > start + 3; left >>= 16) {
			__builtin_memcpy(at -= 2, &hex[2 * (left & 255)], 2);
			__builtin_memcpy(at -= 2, &hex[2 * (left >> 8 & 255)], 2);
		}
	}
}

uint64_t prof_text_in_units(uint64_t time, uint32_t per_ms, uint32_t units)
{
	if (time >> 44 == 0) /* time * units fits */
		return prof_divide(time * units, per_ms);
	uint64_t ms = prof_divide(time, per_ms);
	return ms * units + prof_divide((time - ms * per_ms) * units, per_ms);
}

int prof_text_end(struct prof_text *t)
{
	prof_text_flush(t);
	return t->err;
}
