/*
 * Timelines: points in time at random distances, in TSC cycles. These are drawn evenly from 0.5 to
 * 1.5 times the mean.
 *
 * Chance does not make a timeline drift. The sum of the draws is a random walk, and would stray by
 * the square root of its steps: 0.3 % after ten seconds at 1 kHz. So it is kept between two bounds,
 * at which it is reflected; docs/accuracy.md has a picture.
 */
#pragma once

#include "prof/prof_beat.h"

/* The walk's unit is 8 of a draw's, so that its bounds, 4 periods either way, fill 32 bits. */
#define TIMELINE_WALK 3

struct timeline {
	uint32_t random; /* for prof_random() */
	int32_t walk;	 /* sum of all draws, from the middle of the bounds: 2^31 is 4 periods */
	uint32_t base;	 /* the middle of the draw */
	int32_t span;	 /* the mean distance: the draw's width */
	int32_t moved;	 /* how far the bounds have moved from where they were at first */
	uint64_t due;	 /* the next point, for its user to set and move on */
};

/* Set the mean distance. A draw's mean is -1/2, and the mean was rounded down. */
static inline void timeline_set_mean(struct timeline *t, uint32_t mean)
{
	t->base = mean + 1;
	t->span = (int32_t)mean;
}

/* Return what stands for a draw that took the walk across a bound (timeline.c). */
int32_t timeline_reflect(struct timeline *t, int32_t random);

/* Return how many cycles after one point the next one is. */
static inline uint32_t timeline_draw(struct timeline *t)
{
	int32_t random = (int32_t)prof_random(&t->random), walk;

	if (__builtin_expect(__builtin_add_overflow(t->walk, random >> TIMELINE_WALK, &walk), 0))
		random = timeline_reflect(t, random);
	else
		t->walk = walk;
	return t->base + (uint32_t)((int64_t)random * t->span >> 32);
}

/* Move t->due past `now`, which it is not after, and return how many points have gone by. */
uint32_t timeline_skip(struct timeline *t, uint64_t now);
