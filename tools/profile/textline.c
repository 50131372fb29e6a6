/* The lines of a text in memory: see textline.h. */
#include <limits.h>
#include <string.h>
#include "tools/order.h"
#include "tools/profile/textline.h"

void textline_init(struct textline *t, const void *text, size_t n)
{
	*t = (struct textline){.next = text, .end = (const char *)text + n};
}

/* The last line may lack its newline. */
bool textline_next(struct textline *t)
{
	const char *end;

	if (t->next == t->end)
		return false;
	t->line = t->next;
	end = memchr(t->line, '\n', t->end - t->line);
	t->whole = end != NULL;
	if (!end)
		end = t->end;
	t->n = end - t->line;
	t->next = end + t->whole;
	t->number++;
	return true;
}

bool textline_starts(const void *data, size_t n, const char *with)
{
	size_t length = strlen(with);

	if (n < length)
		return false;
	return memcmp(data, with, length) == 0;
}

bool textline_is(const void *data, size_t n, const char *string)
{
	return n == strlen(string) && memcmp(data, string, n) == 0;
}

bool textline_begins(const struct textline *t, const char *with)
{
	return textline_starts(t->line, t->n, with);
}

/* Return the value of a digit, UINT_MAX if it is none; hexadecimal ones are in lower case. */
static unsigned digit(char c)
{
	static const uint8_t more[UCHAR_MAX + 1] = {
		['0'] = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ['a'] = 11, 12, 13, 14, 15, 16,
	};

	return more[(unsigned char)c] - 1u;
}

/* Unlike strtoull(), this takes neither blanks nor signs. */
bool textline_number(const char **at, const char *end, unsigned base, uint64_t max, uint64_t *v)
{
	const char *p = *at;
	uint64_t n = 0, most = max / base; /* one division is enough */
	unsigned d;

	for (; p < end && (d = digit(*p)) < base; p++) {
		if (n > most || n * base > max - d)
			return false;
		n = n * base + d;
	}
	if (p == *at)
		return false;
	*at = p;
	*v = n;
	return true;
}

/* The message shows the first 60 bytes of the line. */
int textline_expected(const struct textline *t, const char *what, struct complaint *why)
{
	const char *cut = "", *line = "";
	int n = 0;

	if (!t->whole)
		cut = ", which is cut short";
	if (t->line) {
		line = t->line;
		n = (int)order_min(t->n, 60);
	}
	return complain(why, "line %u%s: %s expected, not \"%.*s\"", t->number, cut, what, n, line);
}
