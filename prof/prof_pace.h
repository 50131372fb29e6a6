/* How long the ticks of a data set were, even if the clock's rate changed between them. */
#pragma once

#include <stdint.h>

struct prof_pace {
	uint32_t us;	       /* per tick, now */
	uint32_t ticks_before; /* ticks taken before the period became us */
	uint32_t rates;	       /* how many periods, one after the other, these came from */
	uint64_t us_before;    /* the time that those ticks stand for */
};

/* Make us the period, after this number of ticks. */
void prof_pace_set(struct prof_pace *pace, uint32_t ticks, uint32_t us);

/* Forget the ticks, but not how long one is. */
static inline void prof_pace_clear(struct prof_pace *pace)
{
	pace->ticks_before = pace->rates = 0;
	pace->us_before = 0;
}

/* Return the mean length of all ticks in microseconds, or the period if there are none. */
uint32_t prof_pace_mean(const struct prof_pace *pace, uint32_t ticks);

/* Divide without a call to a library. */
uint64_t prof_divide(uint64_t n, uint32_t by);
