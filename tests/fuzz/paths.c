/*
 * Call paths as text: see paths.h.
 * Links: tests/fuzz/mutate.c
 */
#include "tests/fuzz/paths.h"
#include <string.h>
#include "tests/fuzz/fuzz.h"
#include "tools/profile/textline.h"

/* Numbers, and where lines and steps begin, so that these are moved as they are. */
void fuzz_fields(struct fuzz_fields *f, const uint8_t *data, size_t n)
{
	fuzz_numbers(f, data, n);
	for (size_t i = 0; i + 1 < n; i++)
		if (data[i] == '\n' || data[i] == ';')
			fuzz_field(f, n, i + 1, 1, FUZZ_LITTLE);
}

/* Add up the counts at the ends of lines. */
static uint64_t total(const uint8_t *data, size_t n)
{
	struct textline t;
	uint64_t sum = 0, v;

	textline_init(&t, data, n);
	while (textline_next(&t)) {
		const char *blank = memrchr(t.line, ' ', t.n), *at = blank ? blank + 1 : NULL;

		if (t.n > 0 && t.line[0] != '#' && at &&
		    textline_number(&at, t.line + t.n, 10, UINT64_MAX, &v))
			sum += v;
	}
	return sum;
}

void fuzz_paths_seal(uint8_t *data, size_t n, const char *word)
{
	uint8_t *at = memmem(data, n, word, strlen(word)), *end;
	uint64_t sum;

	if (!at)
		return;
	at += strlen(word);
	for (end = at; end < data + n && *end >= '0' && *end <= '9';)
		end++;
	for (sum = total(data, n); end > at; sum /= 10)
		*--end = (uint8_t)('0' + sum % 10);
}
