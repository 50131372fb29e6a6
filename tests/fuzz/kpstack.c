/*
 * kpstack(5), lines of text; the comment that tells how many ticks there are is made right.
 * Runs: 3000
 * Links: tests/fuzz/paths.c tests/fuzz/profile.c
 */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/paths.h"
#include "tests/fuzz/profile.h"

void fuzz_seal(uint8_t *data, size_t n)
{
	fuzz_paths_seal(data, n, " ticks=");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	fuzz_profile(profread_stacks, &merge_stacks, data, n);
	return 0;
}
