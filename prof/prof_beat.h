/*
 * Beats: a profiler with a rate of its own takes a sample at a random point of each of its periods,
 * so that code which runs in step with a clock cannot hide. docs/accuracy.md has a picture.
 */
#pragma once

#include <stdint.h>

struct prof_beat {
	int32_t left; /* microseconds until the next sample is due */
	uint32_t at;  /* when it is due, from the start of its period */
	uint32_t period; /* microseconds; 0: it never began */
	uint32_t random; /* for prof_random() */
};

/*
 * The one generator of random numbers: multiplicative, with a period of 2^30. The state is
 * odd and stays so, so only the upper bits of a number are random.
 */
static inline uint32_t prof_random(uint32_t *state)
{
	return *state *= 2891336453u;
}

/* Return the state that number n begins with. The factor is even, so the state is odd. */
static inline uint32_t prof_seed(uint32_t n)
{
	return 0x9e3779b9u + n * 0x632be5aau;
}

/*
 * Have samples come once in each period. One that did so before goes on where it was, so that short
 * windows get their share between them. The seed is for the first time.
 */
void prof_beat_begin(struct prof_beat *b, uint32_t period, uint32_t seed);

/* Return how many samples, one each period, a tick of us microseconds stands for. */
uint32_t prof_beat_due(struct prof_beat *b, uint32_t us);

/* Draw when the sample after the one that is due will be: anywhere in the next period. */
static inline void prof_beat_next(struct prof_beat *b, uint32_t period)
{
	uint32_t at = (uint32_t)((uint64_t)prof_random(&b->random) * period >> 32);

	b->left += (int32_t)(period + at - b->at);
	b->at = at;
}
