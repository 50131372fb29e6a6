/*
 * modules(5), lines of text.
 * Runs: 3000
 * Links: tests/fuzz/mutate.c tests/fuzz/profile.c
 */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/profile.h"

/* Numbers, and where words begin. */
void fuzz_fields(struct fuzz_fields *f, const uint8_t *data, size_t n)
{
	fuzz_numbers(f, data, n);
	for (size_t i = 0; i + 1 < n; i++)
		if (data[i] == '\n' || data[i] == ' ')
			fuzz_field(f, n, i + 1, 1, FUZZ_LITTLE);
}

void fuzz_seal(uint8_t *data, size_t n)
{
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	fuzz_profile(profread_modules, &merge_modules, data, n);
	return 0;
}
