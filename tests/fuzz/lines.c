/*
 * lines(5), the tables of source lines in the guest's programs.
 * Runs: 50000
 * Links: tests/fuzz/mutate.c userland/profile/lines.c
 */
#include <stdlib.h>
#include <string.h>
#include "tests/fuzz/fuzz.h"
#include "userland/formats/le.h"
#include "userland/profile/lines.h"

#define HEAD 24

void fuzz_fields(struct fuzz_fields *f, const uint8_t *data, size_t n)
{
	size_t at;

	for (at = 4; at < HEAD; at += 4)
		fuzz_field(f, n, at, 4, FUZZ_LITTLE);
	if (n < HEAD || le_get32(data + 16) > n - HEAD)
		return;
	for (at = HEAD + le_get32(data + 16); at < n; at++)
		fuzz_field(f, n, at, 1, FUZZ_LITTLE);
}

/* The sizes add up. */
void fuzz_seal(uint8_t *data, size_t n)
{
	if (n >= HEAD && le_get32(data + 16) <= n - HEAD)
		le_put32(data + 20, (uint32_t)(n - HEAD) - le_get32(data + 16));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	uint8_t *copy = malloc(n ? n : 1);
	struct lines l;
	size_t names;

	memcpy(copy, data, n);
	if (!lines_read(&l, copy, n, false)) {
		for (size_t i = 0; i < l.n; i++) {
			if (l.in[i].line && strlen(l.file[l.in[i].file]) >= n)
				abort();
			if (lines_at(&l, l.in[i].pc) != i)
				abort();
		}
		names = l.nfiles;
		lines_free(&l);
		if (lines_read(&l, copy, n, true) || l.nfiles != names || l.n != 0)
			abort();
		lines_free(&l);
	} else if (!lines_read(&l, copy, n, true)) {
		lines_free(&l); /* it does not look at instructions, which may be wrong */
	}
	free(copy);
	return 0;
}
