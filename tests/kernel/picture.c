/*
 * Pictures of files, kernel/file/picture.c: whatever length the text has, by printing or in pieces,
 * it is whole, or there is an error and nothing is left (B8).
 * Links: tests/kernel/fakes.c
 */
#include "tests/kernel/fakes.h"
#include "kernel/abi/errno.h"
#include "kernel/abi/fcntl.h"
#include "kernel/file/dirtab.h"
#include "kernel/file/picture.h"

#define MOST 20000 /* bytes of the longest text: several times as much as fits at first */

enum { PRINTED, WRITTEN, BOTH, NROW };

static size_t length; /* of the text, of which byte i is 'a' + i % 26 */
static char wanted[MOST + 1], got[MOST + 1];

/* Print so many bytes of the text, or write them. */
static int add(struct picture *to, size_t *at, size_t n, bool print)
{
	const char *s = wanted + *at;

	if (n > length - *at)
		n = length - *at;
	*at += n;
	return print ? picture_print(to, "%.*s", (int)n, s) : picture_write(to, s, n);
}

static int show(struct chan *c, struct picture *to)
{
	unsigned row = dirtab_row(c);
	size_t at = 0;

	for (size_t n = 1; at < length; n = n * 3 % 1009)
		add(to, &at, n, row == PRINTED || (row == BOTH && n % 2)); /* errors are kept */
	return 0;
}

static const struct dirtab rows[NROW] = {
	[PRINTED] = {"printed", S_IFREG | 0444, .show = show},
	[WRITTEN] = {"written", S_IFREG | 0444, .show = show, .room = 5000},
	[BOTH] = {"both", S_IFREG | 0444, .show = show, .live = true},
};
static const struct dev dev = {.letter = 'T', .name = "test", .dir = {rows, NROW, NULL}};

static int setup(void **state)
{
	fake_start(NULL);
	for (size_t i = 0; i < MOST; i++)
		wanted[i] = (char)('a' + i % 26);
	return 0;
}

/* Open and read the row's file, with so many allocations; return its length, or the error. */
static ssize_t take(unsigned row, long allocations)
{
	struct chan c = {.dev = &dev, .qid = row, .type = S_IFREG};
	long before = fake_allocs;
	ssize_t n;

	fake_allocs_left = allocations;
	n = picture_open(&c, O_RDONLY);
	if (n == 0)
		n = picture_read(&c, got, sizeof(got), 0);
	fake_allocs_left = -1;
	picture_close(&c);
	assert_int_equal(fake_allocs, before);
	return n;
}

static void texts_are_whole(void **state)
{
	for (unsigned row = 0; row < NROW; row++)
		for (length = 0; length <= MOST; length = length * 5 / 4 + 1) {
			assert_int_equal(take(row, -1), length);
			assert_memory_equal(got, wanted, length);
		}
}

static void without_memory_there_is_an_error(void **state)
{
	length = MOST;
	for (unsigned row = 0; row < NROW; row++) {
		long need = 0;

		while (take(row, need) == -ENOMEM)
			need++;
		assert_in_range(need, 3, 20); /* it has grown more than once, by a part of itself */
		assert_int_equal(take(row, need), length);
		assert_memory_equal(got, wanted, length);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(texts_are_whole, setup, fake_teardown),
		cmocka_unit_test_setup_teardown(without_memory_there_is_an_error, setup,
						fake_teardown),
	};

	return RUN(tests, NULL, NULL);
}
