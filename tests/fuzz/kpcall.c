/*
 * kpcall(5), durations of calls, lines of text.
 * Runs: 3000
 * Links: tests/fuzz/paths.c tests/fuzz/profile.c
 */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/profile.h"

/* No sum stands in the file but the number of pairs, which has to be found wrong, too. */
void fuzz_seal(uint8_t *data, size_t n)
{
	(void)data;
	(void)n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	fuzz_profile(profread_calls, &merge_calls, data, n);
	return 0;
}
