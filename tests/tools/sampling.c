/*
 * Samples compared with shares: what can be computed by hand, and what bounds the rest.
 * Links: tests/truth/sampling.c
 */
#include <math.h>
#include "tests/test.h"
#include "tests/truth/sampling.h"

/* All four samples on one of two things that are alike: one of eight times. */
static void two_things(void **state)
{
	static const uint64_t samples[] = {4, 0};
	static const double share[] = {0.5, 0.5};
	struct sampling s;

	sampling_compare(&s, samples, share, 2);
	assert_float_equal(s.n, 4, 0);
	assert_float_equal(s.distance, 0.5, 1e-12);
	assert_float_equal(s.expected, 0.1875, 1e-12);
	assert_float_equal(s.p, 0.125, 0.06);
	assert_float_equal(s.chi2_p, 1, 0); /* too few for a test */
	assert_float_equal(s.most, 1.5341, 1e-4);
	assert_int_equal(s.ran, 2);
}

/* Samples exactly as they should be. */
static void exact(void **state)
{
	static const uint64_t samples[] = {500, 300, 0, 200};
	static const double share[] = {0.5, 0.3, 0, 0.2};
	struct sampling s;

	sampling_compare(&s, samples, share, 4);
	assert_float_equal(s.distance, 0, 1e-12);
	assert_float_equal(s.p, 1, 0);
	assert_float_equal(s.chi2_p, 1, 1e-9);
	assert_float_equal(s.most, 0, 0.05);
	assert_int_equal(s.ran, 3);
}

/* Chi-square is 2 + 2 / 3, with one degree of freedom; a large n needs no drawing. */
static void far(void **state)
{
	static const uint64_t samples[] = {60, 140}, many[] = {3000000, 7000000};
	static const double share[] = {0.25, 0.75};
	struct sampling s;

	sampling_compare(&s, samples, share, 2);
	assert_float_equal(s.chi2_p, 0.1025, 1e-4);
	assert_float_equal(s.p, 0.12, 0.05);
	sampling_compare(&s, many, share, 2);
	assert_float_equal(s.distance, 0.05, 1e-12);
	assert_float_equal(s.p, 0, 1e-6);
	assert_true(fabs(s.most) > 300);
}

/* A sample where nothing ran is never chance, however many others are right. */
static void impossible(void **state)
{
	static const uint64_t samples[] = {1, 999};
	static const double share[] = {0, 1};
	struct sampling s;

	sampling_compare(&s, samples, share, 2);
	assert_float_equal(s.most, 38, 0);
	assert_int_equal(s.where, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_things),
		cmocka_unit_test(exact),
		cmocka_unit_test(far),
		cmocka_unit_test(impossible),
	};

	return RUN(tests, NULL, NULL);
}
