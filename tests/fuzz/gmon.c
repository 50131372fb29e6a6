/*
 * gmon.out in both of its forms: heads, histograms, arcs and blocks.
 * Runs: 1500
 * Links: tests/fuzz/mutate.c tests/fuzz/profile.c
 */
#include <string.h>
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/profile.h"
#include "prof/files/prof_le.h"
#include "tools/profile/gmonfile.h"

/* Note four numbers of 4 bytes, or as many as there are. */
static void numbers(struct fuzz_fields *f, size_t n, size_t at, unsigned count)
{
	for (; count > 0; count--, at += 4)
		fuzz_field(f, n, at, 4, FUZZ_LITTLE);
}

/* Note the fields of a record in GNU's form. Return how long it says it is. */
static size_t record(struct fuzz_fields *f, const uint8_t *data, size_t n, size_t at)
{
	fuzz_field(f, n, at, 1, FUZZ_LITTLE);
	switch (data[at]) {
	case GMON_HISTOGRAM:
		numbers(f, n, at + 1, 4);
		return n - at < 13
			       ? n
			       : 1 + GMON_HISTOGRAM_HEAD + (size_t)prof_le_get32(data + at + 9) * 2;
	case GMON_ARC:
		numbers(f, n, at + 1, 3);
		return 1 + GMON_ARC_SIZE;
	case GMON_BLOCKS:
		numbers(f, n, at + 1, 1);
		return n - at < 5 ? n : 5 + (size_t)prof_le_get32(data + at + 1) * 8;
	}
	return 1;
}

void fuzz_fields(struct fuzz_fields *f, const uint8_t *data, size_t n)
{
	size_t at = GMON_GNU_HEAD;

	if (n < 4 || memcmp(data, "gmon", 4) != 0) {
		numbers(f, n, 0, (unsigned)n / 4);
		return;
	}
	numbers(f, n, 4, 1);
	while (at < n)
		at += record(f, data, n, at);
}

void fuzz_seal(uint8_t *data, size_t n)
{
	(void)data;
	(void)n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	fuzz_profile(profread_gmon, merge_gmon, data, n);
	return 0;
}
