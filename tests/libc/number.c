/* Numbers from text, sorting and searching. */
#include <errno.h>
#include "tests/libc/gn.h"

static const char *const numbers[] = {
	"",
	"0",
	"1",
	"-1",
	"+1",
	" \t\n12",
	"12x",
	"0x",
	"0x1f",
	"0X1F",
	"-0x10",
	"0xg",
	"x",
	"-",
	"+-1",
	"010",
	"08",
	"0b1",
	"zz",
	"ZZ",
	"2147483647",
	"2147483648",
	"-2147483648",
	"-2147483649",
	"4294967295",
	"4294967296",
	"9223372036854775807",
	"9223372036854775808",
	"-9223372036854775808",
	"-9223372036854775809",
	"18446744073709551615",
	"18446744073709551616",
	"-18446744073709551615",
	"-18446744073709551616",
	"99999999999999999999999",
	"-99999999999999999999999",
	"0xffffffffffffffff",
	"0x10000000000000000",
};

/* Our function and the host's return the same value, end and error. */
#define SAME(name)                                                                      \
	do {                                                                            \
		char *our_end, *their_end;                                              \
		gn_errno = 0;                                                           \
		errno = 0;                                                              \
		assert_true(gn_##name(s, &our_end, base) == name(s, &their_end, base)); \
		assert_ptr_equal(our_end, their_end);                                   \
		assert_int_equal(gn_errno, errno);                                      \
	} while (0)

static void texts(void **state)
{
	static const int bases[] = {0, 2, 8, 10, 16, 36};

	for (size_t i = 0; i < nelem(numbers); i++) {
		for (size_t j = 0; j < nelem(bases); j++) {
			const char *s = numbers[i];
			int base = bases[j];

			SAME(strtol);
			SAME(strtoul);
			SAME(strtoll);
			SAME(strtoull);
		}
	}
	for (unsigned i = 0; i < 20000; i++) {
		char s[26] = "-";
		int base = 2 + rand() % 35;

		for (int k = 0, n = 1 + rand() % 24; k < n; k++)
			s[1 + k] = "0123456789abcdefghijklmnopqrstuvwxyz"[rand() % base];
		SAME(strtol);
		SAME(strtoull);
	}
	assert_int_equal(gn_strtol("12", NULL, 10), 12);
	assert_int_equal(gn_atoi("-34x"), -34);
}

static void wrong_base(void **state)
{
	static const int bases[] = {-1, 1, 37};

	for (size_t i = 0; i < nelem(bases); i++) {
		const char *s = "11";
		char *end;

		gn_errno = 0;
		assert_int_equal(gn_strtol(s, &end, bases[i]), 0);
		assert_int_equal(gn_errno, EINVAL);
		assert_ptr_equal(end, s);
	}
}

static unsigned compared;

static int by_first_byte(const void *a, const void *b)
{
	compared++;
	return *(const unsigned char *)a - *(const unsigned char *)b;
}

/* Sort n elements whose bytes are all the same, and see that they are sorted, and whole. */
static void sort_some(size_t n, size_t size, bool memory)
{
	unsigned char *a = malloc((n + 1) * size);
	unsigned long sum = 0, sorted_sum = 0;
	size_t limit = fake_break_limit;

	for (size_t k = 0; k < n; k++) {
		memset(a + k * size, rand() & 0x3f, size);
		sum += a[k * size];
	}
	memset(a + n * size, 0xff, size);
	fake_break_limit = memory ? limit : fake_break_used();
	gn_qsort(a, n, size, by_first_byte);
	fake_break_limit = limit;
	for (size_t k = 0; k < n; k++) {
		sorted_sum += a[k * size];
		for (size_t byte = 1; byte < size; byte++)
			assert_int_equal(a[k * size + byte], a[k * size]);
		assert_true(a[k * size] <= a[(k + 1) * size]);
	}
	assert_int_equal(a[n * size], 0xff);
	assert_int_equal(sum, sorted_sum);
	free(a);
}

/* There is no memory at first, and then enough. */
static void sorts(void **state)
{
	static const size_t sizes[] = {1, 2, 3, 4, 7, 8, 12, 33};

	fake_reset();
	for (unsigned memory = 0; memory < 2; memory++) {
		for (size_t i = 0; i < nelem(sizes); i++) {
			for (size_t n = 0; n < 130; n++)
				sort_some(n, sizes[i], memory);
		}
	}
}

/* Numbers by their tens; the others of one stay as they were. */
static int by_tens(const void *a, const void *b)
{
	return *(const int *)a / 10 - *(const int *)b / 10;
}

static void sorts_stably(void **state)
{
	int a[300];

	for (size_t i = 0; i < nelem(a); i++)
		a[i] = rand() % 30 * 10;
	for (size_t i = 0; i < nelem(a); i++)
		for (size_t k = 0; k < i; k++)
			if (a[k] / 10 == a[i] / 10 && a[i] % 10 < 9)
				a[i]++;
	gn_qsort(a, nelem(a), sizeof(*a), by_tens);
	for (size_t i = 1; i < nelem(a); i++)
		assert_true(a[i - 1] <= a[i]);
}

/* Orders that slow other sorts down do not slow this one down. */
static void sorts_in_time(void **state)
{
	static unsigned char a[65536];

	for (unsigned kind = 0; kind < 4; kind++) {
		for (size_t i = 0; i < sizeof(a); i++) {
			a[i] = (unsigned char)(kind == 0   ? i >> 8
					       : kind == 1 ? (sizeof(a) - 1 - i) >> 8
					       : kind == 2 ? 7
							   : i);
		}
		compared = 0;
		gn_qsort(a, sizeof(a), 1, by_first_byte);
		assert_in_range(compared, sizeof(a) - 1, sizeof(a) * 20);
	}
}

static void searches(void **state)
{
	unsigned char a[64];

	for (size_t i = 0; i < sizeof(a); i++)
		a[i] = (unsigned char)(2 * i + 1);
	for (size_t n = 0; n <= sizeof(a); n++) {
		for (unsigned key = 0; key < 130; key++) {
			unsigned char k = (unsigned char)key;
			unsigned char *hit = gn_bsearch(&k, a, n, 1, by_first_byte);
			int there = key % 2 == 1 && key / 2 < n;

			assert_ptr_equal(hit, there ? a + key / 2 : NULL);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts),    cmocka_unit_test(wrong_base),
		cmocka_unit_test(sorts),    cmocka_unit_test(sorts_stably),
		cmocka_unit_test(sorts_in_time), cmocka_unit_test(searches),
	};

	return RUN(tests, NULL, NULL);
}
