/*
 * gmon.out in both of its forms: heads, histograms, arcs and blocks.
 * Runs: 1500
 * Links: tests/fuzz/mutate.c tests/fuzz/profile.c
 */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/profile.h"
#include "userland/formats/le.h"
#include "tools/profile/gmonfile.h"

/* Note so many numbers of that many bytes, or as many as there are. Return where they end. */
static size_t numbers(struct fuzz_fields *f, size_t n, size_t at, unsigned count, unsigned bytes)
{
	for (; count > 0; count--, at += bytes)
		fuzz_field(f, n, at, bytes, FUZZ_LITTLE);
	return at;
}

/* Note the fields of a record in GNU's form. Return how long it says it is. */
static size_t record(struct fuzz_fields *f, const uint8_t *data, size_t n, size_t at, unsigned a)
{
	size_t next;

	fuzz_field(f, n, at, 1, FUZZ_LITTLE);
	switch (data[at]) {
	case GMON_HISTOGRAM:
		next = numbers(f, n, at + 1, 2, a);
		numbers(f, n, next, 2, 4);
		return n < next + 4 ? n : 1 + gmonfile_histogram_head(a) +
						  (size_t)le_get32(data + next) * 2;
	case GMON_ARC:
		numbers(f, n, numbers(f, n, at + 1, 2, a), 1, 4);
		return 1 + gmonfile_arc_size(a);
	case GMON_BLOCKS:
		numbers(f, n, at + 1, 1, 4);
		return n - at < 5 ? n : 5 + (size_t)le_get32(data + at + 1) * 2 * a;
	}
	return 1;
}

void fuzz_fields(struct fuzz_fields *f, const uint8_t *data, size_t n)
{
	unsigned a = gmonfile_width(data, n);
	size_t at = GMON_GNU_HEAD;

	if (!gmonfile_is_gnu(data, n)) {
		numbers(f, n, 0, (unsigned)n / 4, 4);
		return;
	}
	numbers(f, n, 4, 1, 4);
	while (at < n)
		at += record(f, data, n, at, a);
}

void fuzz_seal(uint8_t *data, size_t n)
{
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	fuzz_profile(profread_gmon, &merge_gmon, data, n);
	return 0;
}
