/* Cases of bench: what the C library does without the kernel. */
#include <stdlib.h>
#include <string.h>
#include "tests/bench/bench.h"

#define PAGE 4096
#define HAYSTACK 36000
#define NUMBERS 20000

static char block[2 * PAGE];
static char other[2 * PAGE];

/* What a loop computes in vain, unless it ends here. */
static volatile size_t result;

static void fill(void)
{
	memset(block, 'x', PAGE);
	memset(other, 'x', PAGE);
}

/* Copy to a place that begins inside the original. */
static void moves_up(unsigned n)
{
	while (n-- > 0)
		memmove(block + 4, block, PAGE);
}

static void compares(unsigned n)
{
	while (n-- > 0)
		result = memcmp(block, other, PAGE);
}

static void fills(unsigned n)
{
	while (n-- > 0)
		memset(block, 'x', PAGE);
}

static void lengths(unsigned n)
{
	while (n-- > 0)
		result = strlen(block);
}

/* Made by the cases: what all have in them, each of a thousand processes is promised. */
static char *haystack, *needle;

/* At each place the needle is there but for its last character. */
static void strings_start(void)
{
	haystack = calloc(1, HAYSTACK + 1);
	needle = calloc(1, HAYSTACK / 2 + 2);
	bench_want(haystack && needle, "calloc");
	memset(haystack, 'a', HAYSTACK);
	memset(needle, 'a', HAYSTACK / 2);
	needle[HAYSTACK / 2] = 'b';
}

static void searches(unsigned n)
{
	while (n-- > 0)
		result = strstr(haystack, needle) != NULL;
}

static int *numbers, *unsorted;

static int by_value(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

static void sorts_start(void)
{
	numbers = calloc(NUMBERS, sizeof(*numbers));
	unsorted = calloc(NUMBERS, sizeof(*unsorted));
	bench_want(numbers && unsorted, "calloc");
	for (unsigned i = 0; i < NUMBERS; i++)
		unsorted[i] = rand();
}

static void sorts_random(unsigned n)
{
	while (n-- > 0) {
		memcpy(numbers, unsorted, NUMBERS * sizeof(*numbers));
		qsort(numbers, NUMBERS, sizeof(*numbers), by_value);
	}
}

static void sorts_sorted(unsigned n)
{
	for (unsigned i = 0; i < NUMBERS; i++)
		numbers[i] = (int)i;
	while (n-- > 0)
		qsort(numbers, NUMBERS, sizeof(*numbers), by_value);
}

static void sorts_equal(unsigned n)
{
	while (n-- > 0)
		qsort(numbers, NUMBERS, sizeof(*numbers), by_value);
}

static void reads_numbers(unsigned n)
{
	while (n-- > 0)
		result = (size_t)strtol("1234567", NULL, 10);
}

const struct bench_case bench_library[] = {
	{"memmove", fill, moves_up, NULL, .times = 100},
	{"memcmp", fill, compares, NULL, .times = 100},
	{"memset", fill, fills, NULL, .times = 100},
	{"strlen", fill, lengths, NULL, .times = 100},
	{"strstr", strings_start, searches, NULL, .times = 3},
	{"sortrandom", sorts_start, sorts_random, NULL, .times = 3, .per = NUMBERS},
	{"sortsorted", sorts_start, sorts_sorted, NULL, .times = 3, .per = NUMBERS},
	{"sortequal", sorts_start, sorts_equal, NULL, .times = 3, .per = NUMBERS},
	{"strtol", NULL, reads_numbers, NULL, .times = 100},
	{NULL},
};
