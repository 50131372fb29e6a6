/*
 * How long a CPU is not to be interrupted whose ticks are late, one after the other: where an
 * emulator runs CPUs in turn, the others may use up all time until the next tick, and this one does
 * nothing but handle its ticks. That is no harm while it is idle.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* After so many late ticks in a row a CPU may do nothing else any more. */
#define LATE_IN_A_ROW 16

struct lateness {
	uint32_t tick; /* number of the tick that was late last */
	uint32_t row;  /* late ticks in a row until then */
};

/*
 * Note that tick number n is late, and return for how many cycles no tick is to come: 0 unless many
 * in a row were late. `late` is by how much, and a period; idle, whether the CPU had nothing to do.
 * Each pause, after as many more late ticks, is twice the one before, up to `most`; a tick in time
 * ends that.
 */
static inline uint32_t lateness_pause(struct lateness *l, uint32_t n, uint64_t late, uint32_t most,
				      bool idle)
{
	if (n - l->tick > 1)
		l->row = 0;
	l->tick = n;
	if (++l->row % LATE_IN_A_ROW != 0 || idle)
		return 0;
	late <<= l->row / LATE_IN_A_ROW;
	if (late <= most)
		return (uint32_t)late;
	l->row -= LATE_IN_A_ROW; /* it can grow no more */
	return most;
}
