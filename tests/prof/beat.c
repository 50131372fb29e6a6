/*
 * Beats, prof/prof_beat.c: a sample at a random point of each period, by the points themselves.
 * Links: prof/prof_beat.c
 */
#include "tests/test.h"
#include "prof/prof_beat.h"

#define SEED 7

/* The points at which samples are due, by time since the beginning. */
struct points {
	uint32_t random, period;
	uint64_t begun; /* when the period of the next one begins */
	uint64_t due;
};

static void draw(struct points *p)
{
	p->due = p->begun + ((uint64_t)prof_random(&p->random) * p->period >> 32);
	p->begun += p->period;
}

/* Return how many are due up to and with a time. */
static uint32_t up_to(struct points *p, uint64_t now)
{
	uint32_t n = 0;

	for (; p->due <= now; n++)
		draw(p);
	return n;
}

/* The first point is in the first period, and may be its first microsecond: 1. */
static void samples_are_due_at_their_points(void **state)
{
	static const uint32_t periods[] = {1, 2, 3, 100, 999, 1000, 10000, 65536};

	for (size_t i = 0; i < sizeof(periods) / sizeof(periods[0]); i++) {
		struct points p = {.random = prof_seed(SEED), .period = periods[i], .begun = 1};
		struct prof_beat b = {.period = 0};
		uint64_t now = 0;

		draw(&p);
		prof_beat_begin(&b, periods[i], SEED);
		for (uint32_t k = 0; k < 20000; k++) {
			uint32_t us = k * 7919 % 1013 + (k % 5 == 0);

			now += us;
			assert_int_equal(prof_beat_due(&b, us), up_to(&p, now));
		}
	}
}

/* One that is begun again goes on, but for another period. */
static void who_begins_again_goes_on(void **state)
{
	struct prof_beat b = {.period = 0}, before;

	prof_beat_begin(&b, 1000, SEED);
	prof_beat_due(&b, 12345);
	before = b;
	prof_beat_begin(&b, 1000, SEED + 1);
	assert_memory_equal(&b, &before, sizeof(b));
	prof_beat_begin(&b, 500, SEED);
	assert_int_equal(b.period, 500);
	assert_in_range(b.left, 1, 500);
	assert_int_not_equal(b.random, before.random); /* drawn on, not from the seed again */
	assert_int_equal(b.random, before.random * 2891336453u);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_are_due_at_their_points),
		cmocka_unit_test(who_begins_again_goes_on),
	};

	return RUN(tests, NULL, NULL);
}
