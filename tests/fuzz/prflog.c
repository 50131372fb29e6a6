/*
 * Logs of prf's counters, prf(4): a head and records, all with checksums.
 * Runs: 5000
 * Links: tests/fuzz/mutate.c tests/fuzz/profile.c
 */
#include <stdlib.h>
#include <string.h>
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/profile.h"
#include "userland/formats/crc32.h"
#include "userland/formats/le.h"
#include "userland/formats/prflog.h"

/* Return how long the record at `at` says it is, as far as it is there. */
static size_t length(const uint8_t *data, size_t n, size_t at)
{
	size_t left = n - at - PRFLOG_RECORD, told = le_get32(data + at + 4);

	return told < left ? told : left;
}

void fuzz_fields(struct fuzz_fields *f, const uint8_t *data, size_t n)
{
	size_t at = PRFLOG_HEAD, i;

	for (i = 8; i < 24; i += 4)
		fuzz_field(f, n, i, 4, FUZZ_LITTLE);
	for (; at < n && n - at > PRFLOG_RECORD; at += PRFLOG_RECORD + length(data, n, at)) {
		fuzz_field(f, n, at, 4, FUZZ_LITTLE);
		fuzz_field(f, n, at + 4, 4, FUZZ_LITTLE);
		for (i = 0; i < length(data, n, at); i += 4)
			fuzz_field(f, n, at + PRFLOG_RECORD + i, 4, FUZZ_LITTLE);
	}
}

/* Every checksum is right. */
void fuzz_seal(uint8_t *data, size_t n)
{
	size_t at = PRFLOG_HEAD;

	if (n < PRFLOG_HEAD)
		return;
	le_put32(data + PRFLOG_HEAD - 4, crc32_add(0, data, PRFLOG_HEAD - 4));
	for (; at < n && n - at > PRFLOG_RECORD; at += PRFLOG_RECORD + length(data, n, at)) {
		le_put32(data + at + 8,
			 crc32_add(0, data + at + PRFLOG_RECORD, length(data, n, at)));
		le_put32(data + at + 12, crc32_add(0, data + at, PRFLOG_RECORD - 4));
	}
}

/* Return the name of every other address. */
static const char *name(void *arg, uint32_t address)
{
	return address & 16 ? "function" : NULL;
}

static void put(void *arg, const char *text, size_t n)
{
	size_t *sum = arg;

	for (; n > 0; n--)
		*sum += (unsigned char)*text++;
}

/* prfpr's report, from a copy that ends where its memory ends. */
static void print(const uint8_t *data, size_t n)
{
	size_t sum = 0;
	struct prfreport report = {.name = name, .put = put, .arg = &sum};
	uint8_t *copy = malloc(n ? n : 1);
	struct prflog log;

	memcpy(copy, data, n);
	if (prflog_open(&log, copy, n) == 0)
		prfreport(&report, &log);
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	print(data, n);
	fuzz_profile(profread_prf, NULL, data, n);
	return 0;
}
