/* What is rare on a timeline: see timeline.h. Not instrumented, for ticks call it. */
#include "drivers/clock/timeline.h"
#include "kernel/machine/lib.h"

#define HASH 0x9e3779b9u /* turns a draw into the place that the bounds move to */

/*
 * Undo the draw that took the walk across a bound, and return its mirror image, which leads
 * away from the bound: since one is as likely as the other, draws stay evenly distributed. Then
 * move both bounds to somewhere within half a period of where they were at first, if that leaves
 * the walk between them: ticks near a bound that stood still would be in step with the beat, if
 * only a little.
 */
UNSEEN int32_t timeline_reflect(struct timeline *t, int32_t random)
{
	int32_t back = ~random, walk;
	int32_t moved = (int32_t)((uint32_t)random * HASH) >> TIMELINE_WALK;

	t->walk += back >> TIMELINE_WALK;
	if (!__builtin_add_overflow(t->walk, moved - t->moved, &walk)) {
		t->walk = walk;
		t->moved = moved;
	}
	return back;
}

/* Whole periods at once, then one point by one. */
UNSEEN uint32_t timeline_skip(struct timeline *t, uint64_t now)
{
	uint64_t n = now - t->due;

	div64(&n, (uint32_t)t->span);
	t->due += n * (uint32_t)t->span;
	for (; t->due <= now; n++)
		t->due += timeline_draw(t);
	return (uint32_t)n;
}
