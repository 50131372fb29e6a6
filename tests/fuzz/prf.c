/*
 * Tables of addresses that are loaded into prf: prof/prof_prf.c.
 * Runs: 25000
 * Links: tests/fuzz/mutate.c tests/prof/machine.c
 */
#include <stdlib.h>
#include <string.h>
#include "tests/fuzz/fuzz.h"
#include "tests/prof/machine.h"

#define NCPU 2

static struct prof prof;

void fuzz_fields(struct fuzz_fields *f, const uint8_t *data, size_t n)
{
	for (size_t at = 0; at < n; at += 4)
		fuzz_field(f, n, at, 4, FUZZ_LITTLE);
}

/* For qsort. */
static int compare(const void *va, const void *vb)
{
	const uint32_t *a = va, *b = vb;

	return *a < *b ? -1 : *a > *b;
}

/* Addresses ascend. */
void fuzz_seal(uint8_t *data, size_t n)
{
	uint32_t *copy = malloc(n + 4);

	memcpy(copy, data, n);
	qsort(copy, n / 4, 4, compare);
	memcpy(data, copy, n / 4 * 4);
	free(copy);
}

/* The counter of an address by its definition: from the end, the first that is not above it. */
static uint32_t linear(const prof_addr *addr, uint32_t n, prof_addr pc)
{
	uint32_t i = n;

	while (i > 0 && addr[i - 1] > pc)
		i--;
	return i > 0 ? i - 1 : n + PROF_PRF_BELOW;
}

/* Addresses near those of the table are found where they are. */
static void find(const prof_addr *addr, uint32_t n)
{
	for (uint32_t i = 0; i < n; i += 1 + n / 64)
		for (prof_addr pc = addr[i] - 1; pc != addr[i] + 2; pc++)
			if (prof_prf_find(prof.prf.of[PROF_PRF_EVERY].table, pc) !=
			    linear(addr, n, pc))
				abort();
}

/* Ticks anywhere, and a read of all words. */
static void run(const prof_addr *addr, uint32_t n)
{
	uint32_t sum = 0;

	prof_prf_start(&prof, PROF_PRF_EVERY);
	for (uint32_t i = 0; i < n && i < 32; i++) {
		struct prof_sample s = {.cpu = i % NCPU, .at.pc = addr[i] + i, .what = i % 3};

		machine_tick(&prof, &s);
	}
	for (uint32_t i = 0; i < n + PROF_PRF_BELOW; i++)
		sum += prof_prf_word(&prof, PROF_PRF_EVERY, n + i);
	if (sum > 32)
		abort();
	prof_prf_stop(&prof, PROF_PRF_EVERY);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	uint32_t word, count = (uint32_t)(n / sizeof(word)), i;
	prof_addr *addr = malloc((count + 1) * sizeof(*addr));

	for (i = 0; i < count; i++) {
		memcpy(&word, data + i * sizeof(word), sizeof(word));
		addr[i] = word;
	}
	n = count * sizeof(*addr) + n % sizeof(word);
	machine_reset();
	prof = (struct prof){0};
	if (!prof_prf_init(&prof, NCPU))
		abort();
	prof_period(&prof, PROF_PRF_US);
	if (prof_prf_load(&prof, PROF_PRF_EVERY, addr, n) == PROF_PRF_OK) {
		find(addr, count);
		run(addr, count);
	}
	machine_reset();
	free(addr);
	return 0;
}
