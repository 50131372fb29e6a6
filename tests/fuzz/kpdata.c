/*
 * kpdata(5): six numbers of 4 bytes each, then the buckets.
 * Runs: 4000
 * Links: tests/fuzz/mutate.c tests/fuzz/profile.c
 */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/profile.h"
#include "tools/profile/kpdata.h"

void fuzz_fields(struct fuzz_fields *f, const uint8_t *data, size_t n)
{
	for (size_t at = 0; at < n; at += 4)
		fuzz_field(f, n, at, 4, FUZZ_BIG);
}

/* The buckets add up to the total. */
void fuzz_seal(uint8_t *data, size_t n)
{
	uint32_t sum = 0;

	for (size_t at = KPDATA_SPECIAL; at + 4 <= n; at += 4)
		sum += (uint32_t)data[at] << 24 | data[at + 1] << 16 | data[at + 2] << 8 |
		       data[at + 3];
	if (n < KPDATA_SPECIAL || data[19] != 4)
		return;
	sum += (uint32_t)data[4] << 24 | data[5] << 16 | data[6] << 8 | data[7];
	for (unsigned i = 0; i < 4; i++)
		data[i] = (uint8_t)(sum >> (24 - 8 * i));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	fuzz_profile(profread_kpdata, &merge_kpdata, data, n);
	return 0;
}
