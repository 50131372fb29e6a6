/*
 * tools/diff/chance.c: against printed tables, closed forms and sums that can be done by hand;
 * how often it marks rows when nothing has changed, and how often it misses what has.
 */
#include <math.h>
#include "tests/test.h"
#include "tools/diff/chance.h"

#define nelem(a) (sizeof(a) / sizeof((a)[0]))

static void near(double got, double wanted, double error)
{
	if (!(fabs(got - wanted) <= error))
		fail_msg("%.9g, not %.9g", got, wanted);
}

/* Two-sided quantiles of the normal distribution, from printed tables. */
static void normal(void **state)
{
	static const double table[][2] = {
		{0.674490, 0.5}, {1.281552, 0.2}, {1.644854, 0.1}, {1.959964, 0.05},
		{2.575829, 0.01}, {3.290527, 0.001}, {3.890592, 1e-4}, {4.417173, 1e-5},
		{4.891638, 1e-6},
	};
	size_t i;

	for (i = 0; i < nelem(table); i++) {
		near(chance_of_z(table[i][0]), table[i][1], table[i][1] * 1e-5);
		near(chance_of_z(-table[i][0]), table[i][1], table[i][1] * 1e-5);
		near(chance_z(table[i][1]), table[i][0], 1e-6);
	}
	near(chance_z(1), 0, 1e-9);
	near(chance_of_z(chance_z(1e-290)), 1e-290, 1e-298);
}

/* Two-sided quantiles of Student's t, from printed tables, and what closed forms give. */
static void student(void **state)
{
	static const struct {
		double df, t, p;
	} table[] = {
		{1, 12.706205, 0.05}, {1, 63.656741, 0.01}, {2, 4.302653, 0.05},
		{2, 31.599055, 0.001}, {3, 3.182446, 0.05}, {5, 2.015048, 0.1},
		{10, 2.228139, 0.05}, {10, 3.169273, 0.01}, {10, 4.586894, 0.001},
		{30, 2.042272, 0.05}, {120, 2.617421, 0.01}, {1e7, 1.959964, 0.05},
	};
	double t;
	size_t i;

	for (i = 0; i < nelem(table); i++) {
		near(chance_of_t(table[i].t, table[i].df), table[i].p, table[i].p * 1e-5);
		near(chance_of_t(-table[i].t, table[i].df), table[i].p, table[i].p * 1e-5);
	}
	/* with one degree of freedom it is Cauchy's distribution; two have a closed form, too */
	for (t = 1e-3; t < 1e6; t *= 3) {
		near(chance_of_t(t, 1), 2 / M_PI * atan(1 / t), 1e-12);
		near(chance_of_t(t, 2), 1 - t / sqrt(2 + t * t), 1e-12);
	}
	assert_true(chance_of_t(0, 3) == 1);
	near(chance_of_t(0.5, 7.3), 0.63179353, 1e-8);
}

/* Return what is known of some measurements. */
static struct chance_sample measured(const double *x, size_t n)
{
	struct chance_sample s = {.n = n};
	size_t i;

	for (i = 0; i < n; i++)
		s.mean += x[i] / n;
	for (i = 0; i < n; i++)
		s.variance += (x[i] - s.mean) * (x[i] - s.mean) / (n - 1);
	return s;
}

/*
 * Student's data of sleep, by which R's manual shows its t.test(): t = 1.8608, df = 17.776,
 * p = 0.07939. And two samples of which one does not vary: df is that of the other.
 */
static void welch(void **state)
{
	static const double one[] = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
	static const double two[] = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};
	static const double still[] = {5, 5, 5};
	struct chance_sample a = measured(one, nelem(one)), b = measured(two, nelem(two));
	struct chance_sample c = measured(still, nelem(still));
	struct chance_welch w = chance_welch(&a, &b);

	near(w.t, 1.8608, 5e-5);
	near(w.df, 17.776, 5e-4);
	near(w.p, 0.07939, 5e-6);
	near(w.error, 1.58 / w.t, 1e-12);
	w = chance_welch(&b, &a);
	near(w.t, -1.8608, 5e-5);
	near(w.p, 0.07939, 5e-6);
	w = chance_welch(&a, &c);
	near(w.df, 9, 1e-9);
	near(w.t, 4.25 / sqrt(3.2005555555555556 / 10), 1e-9);
}

/* Upper quantiles of chi-square, from printed tables. */
static void chi_square(void **state)
{
	static const struct {
		double df, x, p;
	} table[] = {
		{1, 3.841459, 0.05}, {1, 6.634897, 0.01}, {1, 10.827566, 0.001},
		{1, 0.003932, 0.95}, {2, 5.991465, 0.05}, {3, 7.814728, 0.05},
		{5, 15.086272, 0.01}, {5, 1.145476, 0.95}, {10, 18.307038, 0.05},
		{10, 29.588298, 0.001}, {30, 43.772972, 0.05}, {30, 18.492661, 0.95},
		{100, 124.342113, 0.05}, {100, 77.929465, 0.95},
	};
	double x, term, sum;
	size_t i, df;

	for (i = 0; i < nelem(table); i++)
		near(chance_of_chi2(table[i].x, table[i].df), table[i].p, table[i].p * 2e-5);
	assert_true(chance_of_chi2(0, 4) == 1);
	/* with an even number of degrees of freedom it is a finite sum */
	for (df = 2; df <= 400; df += 66) {
		for (x = 1; x < 1000; x *= 1.7) {
			term = sum = exp(-x / 2);
			for (i = 1; i < df / 2; i++)
				sum += term *= x / 2 / i;
			near(chance_of_chi2(x, df), sum, sum * 1e-9 + 1e-12);
		}
	}
}

/* Test one row of two profiles, whose other samples are in a second row. */
static struct chance_row one(struct chance_test *t, uint64_t a, uint64_t total_a, uint64_t b,
			     uint64_t total_b)
{
	struct chance_row row[2] = {{.a = a, .b = b}, {.a = total_a - a, .b = total_b - b}};

	t->total_a = total_a;
	t->total_b = total_b;
	chance_test(t, row, 2);
	return row[0];
}

/* Small counts by hand: 3 of 4 and 1 of 4 give 2 (16 + 1) / 70; 0 and 5 of 5 give 2 / 252. */
static void shares(void **state)
{
	struct chance_test t = {.level = 0.05};
	struct chance_row r;

	near(one(&t, 3, 4, 1, 4).p, 34.0 / 70, 1e-12);
	near(one(&t, 1, 4, 3, 4).p, 34.0 / 70, 1e-12);
	r = one(&t, 0, 5, 5, 5);
	near(r.p, 2.0 / 252, 1e-12);
	near(chance_of_z(r.z), 2.0 / 252, 1e-12);
	assert_true(r.z > 0 && r.sure);
	assert_true(one(&t, 5, 5, 0, 5).z < 0);
	assert_true(one(&t, 2, 4, 2, 4).p == 1 && !one(&t, 2, 4, 2, 4).sure);
	/* all of A's and none of B's one: the probability is 1 / 10, doubled */
	near(one(&t, 9, 9, 0, 1).p, 0.2, 1e-12);
	/* a row without samples, or with all of them, tells nothing */
	assert_true(one(&t, 0, 9, 0, 9).p == 1);
	assert_true(one(&t, 7, 7, 9, 9).p == 1 && t.df == 0);
	/* large: z = (0.52 - 0.5) / sqrt(0.51 * 0.49 * 2 / 1e7), by hand */
	r = one(&t, 5000000, 10000000, 5200000, 10000000);
	near(r.z, 89.46, 0.01);
	assert_true(r.sure && t.p == 0);
	/* both methods agree where both can be used: at 4 standard deviations */
	r = one(&t, 40000, 1000000, 41120, 1000000);
	near(r.z, 1120 / sqrt(2e6 * 0.04056 * (1 - 0.04056)), 0.01);
}

/* Times: the odds of a single sample are those of the lengths of a sample. */
static void times(void **state)
{
	struct chance_test t = {.level = 0.05, .by_time = true, .us_a = 1000, .us_b = 1000};
	struct chance_row r;

	near(one(&t, 0, 1, 5, 6).p, 2.0 / 32, 1e-12);
	near(one(&t, 5, 6, 0, 1).p, 2.0 / 32, 1e-12);
	near(one(&t, 4, 5, 6, 7).p, 2 * 386.0 / 1024, 1e-12);
	t.us_b = 500; /* two of B's samples are as long as one of A's */
	near(one(&t, 0, 1, 2, 2).p, 2 * 4.0 / 9, 1e-12);
	near(one(&t, 2, 2, 0, 1).p, 2 * 1.0 / 9, 1e-12);
	r = one(&t, 1000, 10000, 2000, 20000);
	near(r.z, 0, 0.02);
	assert_true(!r.sure && t.df == 2);
	/* twice the time, all in one function: shares fall elsewhere, times do not */
	r = one(&t, 1000, 5000, 12000, 20000);
	assert_true(r.sure && r.z > 50 && t.nsure == 1);
	t.by_time = false;
	one(&t, 1000, 5000, 12000, 20000);
	assert_int_equal(t.nsure, 2);
}

/* The error of a share of 0.1 in 900 samples is 0.01; of 0 and 1 there is none. */
static void errors(void **state)
{
	near(chance_error(0.1, 900), 0.01, 1e-12);
	assert_true(chance_error(0, 10) == 0 && chance_error(1, 10) == 0);
}

/* Chi-square of a table by hand: 30 10 / 20 40 is 16.667 with one degree of freedom. */
static void whole(void **state)
{
	struct chance_row row[4] = {{.a = 30, .b = 10}, {.a = 20, .b = 40}};
	struct chance_row rare[4] = {{.a = 30, .b = 10}, {.a = 18, .b = 38}, {.a = 1}, {.b = 1}};
	struct chance_test t = {.total_a = 50, .total_b = 50, .level = 0.05};

	chance_test(&t, row, 2);
	near(t.chi2, 100.0 / 6, 1e-9);
	assert_true(t.df == 1);
	near(t.p, 4.4557e-5, 1e-8);
	near(t.z, 2.241403, 1e-5); /* of 0.05 / 2 */
	/* two rows with too few samples for a cell, even together */
	t.total_a = t.total_b = 49;
	chance_test(&t, rare, 4);
	assert_true(t.df == 1);
}

/* Numbers that are the same in every run: Knuth's MMIX generator, its upper half. */
static uint32_t draw(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 32;
}

#define FUNCTIONS 60

/* Sample n times; function i is met in proportion to weight[i]. */
static void sample(const double *weight, size_t n, uint64_t *seed, uint64_t *count)
{
	double sum = 0, at;
	size_t i, j;

	memset(count, 0, FUNCTIONS * sizeof(*count));
	for (i = 0; i < FUNCTIONS; i++)
		sum += weight[i];
	for (j = 0; j < n; j++) {
		at = draw(seed) / 4294967296.0 * sum;
		for (i = 0; i < FUNCTIONS - 1 && at >= weight[i]; i++)
			at -= weight[i];
		count[i]++;
	}
}

/* Test samples of two distributions. */
static void run(struct chance_test *t, struct chance_row *row, const double *weight_a,
		const double *weight_b, size_t na, size_t nb, uint64_t *seed)
{
	uint64_t a[FUNCTIONS], b[FUNCTIONS];
	size_t i;

	sample(weight_a, na, seed, a);
	sample(weight_b, nb, seed, b);
	for (i = 0; i < FUNCTIONS; i++)
		row[i] = (struct chance_row){.a = a[i], .b = b[i]};
	t->total_a = na;
	t->total_b = nb;
	chance_test(t, row, FUNCTIONS);
}

/* Weights as in real profiles: few functions have most of the samples, many have few. */
static void weigh(double *weight)
{
	size_t i;

	for (i = 0; i < FUNCTIONS; i++)
		weight[i] = 1.0 / ((i + 1) * (i + 1));
}

/* If nothing has changed, no more of 1000 comparisons than the level may mark anything. */
static void false_alarms(void **state)
{
	static const struct {
		size_t na, nb;
		bool by_time, few;
	} kind[] = {
		{1000, 1000, false, false}, {300, 2500, false, false}, {1000, 1000, true, false},
		{1000, 1000, false, true},
	};
	struct chance_test t = {.level = 0.05, .us_a = 1000, .us_b = 1000};
	size_t i, j, marked, whole_marked, alone;
	struct chance_row row[FUNCTIONS];
	double weight[FUNCTIONS];
	uint64_t seed = 1;

	weigh(weight);
	for (i = 0; i < nelem(kind); i++) {
		t.by_time = kind[i].by_time;
		t.few = kind[i].few;
		marked = whole_marked = alone = 0;
		for (j = 0; j < 1000; j++) {
			run(&t, row, weight, weight, kind[i].na, kind[i].nb, &seed);
			marked += t.nsure > 0;
			whole_marked += t.p <= 0.05;
			alone += row[0].p <= 0.05;
		}
		/* at most 50 of 1000 are expected; 71 is three standard deviations above */
		assert_in_range(marked, 1, 71);
		assert_in_range(alone, kind[i].by_time ? 0 : 20, 71);
		if (!kind[i].by_time)
			assert_in_range(whole_marked, 20, 80);
	}
}

/* One function gains 2 per cent of the whole: it is marked, and no other is. */
static void planted(void **state)
{
	struct chance_test t = {.level = 0.05};
	size_t j, k, found = 0, others = 0, whole_found = 0;
	struct chance_row row[FUNCTIONS];
	double before[FUNCTIONS], after[FUNCTIONS], sum = 0;
	uint64_t seed = 2;

	weigh(before);
	for (k = 0; k < FUNCTIONS; k++)
		sum += before[k];
	memcpy(after, before, sizeof(after));
	after[2] += sum / 50;
	for (j = 0; j < 200; j++) {
		run(&t, row, before, after, 20000, 30000, &seed);
		found += row[2].sure && row[2].z > 0;
		for (k = 3; k < FUNCTIONS; k++)
			others += row[k].sure;
		whole_found += t.p <= 0.05;
	}
	assert_in_range(found, 195, 200);
	assert_in_range(others, 0, 14);
	assert_in_range(whole_found, 190, 200);
}

/* If many have changed, the milder rule finds no fewer, and is wrong no more often than it says. */
static void milder(void **state)
{
	struct chance_test strict = {.level = 0.1}, mild = {.level = 0.1, .few = true};
	size_t j, k, found_strict = 0, found = 0, wrong = 0;
	struct chance_row row[FUNCTIONS], again[FUNCTIONS];
	double before[FUNCTIONS], after[FUNCTIONS];
	uint64_t seed = 3;

	for (k = 0; k < FUNCTIONS; k++)
		before[k] = after[k] = 1;
	for (k = 0; k < 20; k += 2) {
		after[k] *= 1.25;
		after[k + 1] *= 0.75; /* the rest keeps its share */
	}
	for (j = 0; j < 100; j++) {
		run(&mild, row, before, after, 20000, 20000, &seed);
		memcpy(again, row, sizeof(row));
		strict.total_a = strict.total_b = 20000;
		chance_test(&strict, again, FUNCTIONS);
		for (k = 0; k < FUNCTIONS; k++) {
			assert_true(!again[k].sure || row[k].sure);
			found_strict += again[k].sure;
			found += row[k].sure;
			wrong += k >= 20 && row[k].sure;
		}
	}
	assert_true(found > found_strict && found_strict > 100);
	assert_in_range(wrong, 0, found / 8);
}

/* No rows, and one row: no crash, no division by zero. */
static void nothing(void **state)
{
	struct chance_test t = {.level = 0.05, .total_a = 1, .total_b = 1};
	struct chance_row row = {.a = 1, .b = 1};

	chance_test(&t, &row, 0);
	assert_true(t.nsure == 0 && t.df == 0 && t.p == 1);
	chance_test(&t, &row, 1);
	assert_true(t.nsure == 0 && row.p == 1 && !row.sure);
	row = (struct chance_row){.a = UINT64_MAX / 2, .b = UINT64_MAX / 2};
	t.total_a = t.total_b = UINT64_MAX;
	chance_test(&t, &row, 1);
	assert_true(row.z == 0 && row.p == 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(normal),
		cmocka_unit_test(chi_square),
		cmocka_unit_test(student),
		cmocka_unit_test(welch),
		cmocka_unit_test(shares),
		cmocka_unit_test(times),
		cmocka_unit_test(errors),
		cmocka_unit_test(whole),
		cmocka_unit_test(false_alarms),
		cmocka_unit_test(planted),
		cmocka_unit_test(milder),
		cmocka_unit_test(nothing),
	};

	return RUN(tests, NULL, NULL);
}
