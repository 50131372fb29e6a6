/*
 * kptrace(5), lines of text; nothing adds up the records of several.
 * Runs: 3000
 * Links: tests/fuzz/mutate.c tests/fuzz/profile.c
 */
#include <string.h>
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/profile.h"

/* Numbers, and where lines, words and steps begin, so that these are moved as they are. */
void fuzz_fields(struct fuzz_fields *f, const uint8_t *data, size_t n)
{
	fuzz_numbers(f, data, n);
	for (size_t i = 0; i + 1 < n; i++)
		if (memchr("\n ;", data[i], 3))
			fuzz_field(f, n, i + 1, 1, FUZZ_LITTLE);
}

void fuzz_seal(uint8_t *data, size_t n)
{
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	fuzz_profile(profread_trace, NULL, data, n);
	return 0;
}
