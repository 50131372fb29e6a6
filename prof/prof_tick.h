/* What the profilers share: their switches, the length of ticks, their own rates. */
#pragma once

#include "prof/prof.h"

/* Give ticks to the profilers in mask, or stop. A tick that sees this sees earlier stores, too. */
void prof_switch(struct prof *p, uint32_t mask, bool on);

/* Stop those profilers until no tick is under way. Return whether one of them was on. */
bool prof_pause(struct prof *p, uint32_t mask);

/*
 * Return the bounds, [prof_first_cpu, prof_past_cpu), of the CPUs that `which` means: one number,
 * or all.
 */
static inline unsigned prof_first_cpu(unsigned which)
{
	return which < PROF_MAXCPU ? which : 0;
}

static inline unsigned prof_past_cpu(unsigned which, unsigned ncpu)
{
	return which < PROF_MAXCPU ? which + 1 : ncpu;
}

/* Forget the ticks, but not how long one is. */
static inline void prof_pace_clear(struct prof_pace *pace)
{
	*pace = (struct prof_pace){.us = pace->us};
}

/* Divide without a call to a library. */
uint64_t prof_divide(uint64_t n, uint32_t by);

/* Make us the period, after this number of ticks. */
void prof_pace_set(struct prof_pace *pace, uint32_t ticks, uint32_t us);

/* Return the mean length of all ticks in microseconds, or the period if there are none. */
uint32_t prof_pace_mean(const struct prof_pace *pace, uint32_t ticks);

/* Draw when the sample after the one that is due will be: anywhere in the next period. */
static inline void prof_beat_next(struct prof_beat *b, uint32_t period)
{
	uint32_t at = (uint32_t)((uint64_t)prof_random(&b->random) * period >> 32);

	b->left += (int32_t)(period + at - b->at);
	b->at = at;
}

/*
 * Have samples come once in each period. One that did so before goes on where it was, so that short
 * windows get their share between them. The seed is for the first time.
 */
void prof_beat_begin(struct prof_beat *b, uint32_t period, uint32_t seed);

/* Return how many samples, one each period, a tick of us microseconds stands for. */
uint32_t prof_beat_due(struct prof_beat *b, uint32_t us);

/* Return how many ticks the data set holds. */
uint32_t prof_kprof_ticks(const struct prof_kprof *k);

/* Do prof_period() for the histograms of all CPUs. */
void prof_gmon_period(struct prof *p, uint32_t us);
