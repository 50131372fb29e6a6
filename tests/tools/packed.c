/*
 * Texts in order, in little memory (tools/merge/packed.h): what comes out is what went in, and
 * neighbours that begin alike take little.
 * Links: tools/merge/packed.c
 */
#include "tests/test.h"
#include "tools/merge/packed.h"

#define nelem(a) (sizeof(a) / sizeof((a)[0]))

static void as_they_were(void **state)
{
	static const struct {
		const char *text;
		size_t n;
		uint64_t count, times;
	} in[] = {
		{"", 0, 1, 0}, {"a\0b", 3, 0, UINT64_MAX}, {"a\0bc", 4, 127, 128},
		{"a", 1, 128, 1}, {"\xff\x80", 2, 1 << 14, 0}, {"\xff\x80\xff", 3, UINT64_MAX, 5},
		{"\xff\x80\xff", 3, 5, 0}, {"", 0, UINT32_MAX, 0},
	};
	struct packed p = {.n = 0};
	struct packed_text t;
	size_t i;

	packed_begin(&t, &p);
	assert_false(packed_next(&t));
	for (i = 0; i < nelem(in); i++)
		packed_add(&p, in[i].text, in[i].n, in[i].count, in[i].times);
	packed_begin(&t, &p);
	for (i = 0; i < nelem(in); i++) {
		assert_true(packed_next(&t));
		assert_int_equal(t.n, in[i].n);
		assert_memory_equal(t.text, in[i].text, t.n);
		assert_true(t.count == in[i].count && t.times == in[i].times);
	}
	assert_false(packed_next(&t));
	packed_free(&p);
}

/* Lengths and what is alike of them need more than a byte each. */
static void long_ones(void **state)
{
	struct packed p = {.n = 0};
	struct packed_text t;
	char text[1000];
	size_t i;

	memset(text, 'x', sizeof(text));
	for (i = 1; i <= sizeof(text); i++)
		packed_add(&p, text, i, i, 0);
	assert_true(p.n < 7 * sizeof(text));
	packed_begin(&t, &p);
	for (i = 1; packed_next(&t); i++) {
		assert_int_equal(t.n, i);
		assert_int_equal(t.count, i);
		assert_memory_equal(t.text, text, t.n);
	}
	assert_int_equal(i, sizeof(text) + 1);
	packed_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_they_were), cmocka_unit_test(long_ones),
	};

	return RUN(tests, NULL, NULL);
}
