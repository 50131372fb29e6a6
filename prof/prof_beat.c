/* Beats: see prof_beat.h. */
#include "prof/prof_beat.h"

void prof_beat_begin(struct prof_beat *b, uint32_t period, uint32_t seed)
{
	uint32_t random = b->random;

	if (b->period == period)
		return;
	if (!b->period)
		random = prof_seed(seed);
	*b = (struct prof_beat){.left = 1, .at = period, .period = period, .random = random};
	prof_beat_next(b, period);
}

uint32_t prof_beat_due(struct prof_beat *b, uint32_t us)
{
	uint32_t n = 0;

	b->left -= (int32_t)us;
	for (; b->left <= 0; n++)
		prof_beat_next(b, b->period);
	return n;
}
