/*
 * kpmem(5), lines of text; the comment that tells how many bytes there are is made right.
 * Runs: 3000
 * Links: tests/fuzz/paths.c tests/fuzz/profile.c
 */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/paths.h"
#include "tests/fuzz/profile.h"

void fuzz_seal(uint8_t *data, size_t n)
{
	fuzz_paths_seal(data, n, " total_bytes=");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	fuzz_profile(profread_memory, &merge_memory, data, n);
	return 0;
}
