/*
 * The profilers: a library that knows no kernel. What it needs of one is in prof_hooks.h; what it
 * offers is here and in the headers included here, one for each profiler. prof(9) describes it.
 *
 * State belongs to the caller: one struct prof, zero at first. Only prof_mcount(), which the
 * compiler's calls reach without an argument, has a global, prof_entered. Ranges are half-open.
 *
 * Every CPU writes counters of its own and nobody else's. A total is a sum that a
 * reader makes, so no lock and no bus lock is on the way of a tick or of a call.
 *
 * Ticks and calls may come at any time. All other functions are for thread context,
 * and one at a time: their caller holds a lock.
 */
#pragma once

#include "prof/prof_gmon.h"
#include "prof/prof_kprof.h"
#include "prof/prof_module.h"
#include "prof/prof_prf.h"
#include "prof/prof_profil.h"
#include "prof/prof_stack.h"

/* Bits of prof.on. */
#define PROF_KPROF 1u
#define PROF_GMON 2u
#define PROF_PRF 4u
#define PROF_PROFIL 8u
#define PROF_MODULE 16u
#define PROF_STACK 32u
#define PROF_WAIT 64u	/* gets no ticks: who calls prof_stack_wait() looks at it */
#define PROF_TRACE 128u /* the same of prof_trace_tick() */

struct prof {
	uint32_t on; /* which profilers get the ticks; prof_switch() changes it */
	uint32_t us; /* length of a tick; atomic */
	struct prof_kprof kprof;
	struct prof_gmon gmon;
	struct prof_prf prf;
	struct prof_modules module;
	struct prof_stacks stack, wait;
	struct prof_trace trace;
};

/* Return the bits of the profilers that are on. */
static inline uint32_t prof_running(const struct prof *p)
{
	return __atomic_load_n(&p->on, __ATOMIC_ACQUIRE);
}

/* Return whether one of the profilers in mask is on. */
static inline bool prof_wants(const struct prof *p, uint32_t mask)
{
	return prof_running(p) & mask;
}

/*
 * Note that the clock's period is us microseconds from now on. To be called also after
 * prof_kprof_init and prof_gmon_init, before the first tick.
 */
void prof_period(struct prof *p, uint32_t us);

/*
 * Count a tick: pc in its bucket, or as outside. A CPU may count its share of 2^32 - 1
 * ticks, and then stops, so that no sum can wrap; cell PROF_KPROF_LEFT holds the rest of its share.
 */
static inline void prof_kprof_tick(const struct prof *p, unsigned cpu, prof_addr pc, bool user)
{
	uint32_t *cell = p->kprof.cell[cpu], *at = &cell[PROF_KPROF_OUTSIDE], left;
	prof_addr off;

	if (__builtin_expect(!user, 1)) {
		off = pc - p->kprof.first;
		if (off < p->kprof.size)
			at = &cell[PROF_KPROF_SPECIAL + (off >> PROF_KPROF_LOG2)];
	}
	if (__builtin_sub_overflow(cell[PROF_KPROF_LEFT], 1u, &left))
		return;
	prof_store(&cell[PROF_KPROF_LEFT], left);
	prof_store(at, *at + 1);
}

/* Let a tick's time pass on that CPU, and return whether a sample is due. */
static inline bool prof_prf_due(struct prof *p, unsigned cpu)
{
	struct prof_beat *b = &p->prf.cpu[cpu].beat;

	b->left -= (int32_t)prof_load(&p->us);
	return __builtin_expect(b->left <= 0, 0);
}

/*
 * Hand a sample to the profilers among `on`. What PROF_STACK alone needs may be left out when
 * it is not among them.
 */
static inline void prof_sample(struct prof *p, uint32_t on, const struct prof_sample *s)
{
	if (PROF_HAVE_STACK && __builtin_expect(!!(on & PROF_STACK), 1))
		prof_stack_tick(p, s);
	if (PROF_HAVE_GMON && __builtin_expect(!!(on & PROF_GMON), 1))
		prof_gmon_tick(p, s);
	if (__builtin_expect(!(on & (PROF_PROFIL | PROF_MODULE)), 1))
		return;
	if (PROF_HAVE_PROFIL && on & PROF_PROFIL)
		prof_profil_tick(p, s);
	if (PROF_HAVE_MODULE && on & PROF_MODULE)
		prof_module_tick(p, s);
}

/*
 * Count a tick of the profiling clock on that CPU, which interrupted the code at pc. May be
 * called from any context, NMI included, but never nested on one CPU.
 *
 * kprof and prf need so little of a tick that making a sample would be most of the work. Only
 * if another profiler is on, sample() is called, with the frame, the mode, and the bits of
 * the profilers that are on: it makes a sample and calls prof_sample().
 */
typedef void prof_sampler(const void *frame, enum prof_mode mode, uint32_t on);

static inline __attribute__((always_inline)) void
prof_tick(struct prof *p, unsigned cpu, prof_addr pc, enum prof_mode mode,
	  prof_sampler *sample, const void *frame)
{
	uint32_t on = prof_running(p);

	if (PROF_HAVE_KPROF && on & PROF_KPROF)
		prof_kprof_tick(p, cpu, pc, mode == PROF_USER);
	if (PROF_HAVE_PRF && on & PROF_PRF && prof_prf_due(p, cpu))
		prof_prf_count(&p->prf.cpu[cpu], pc, mode);
	if (on & ~(PROF_KPROF | PROF_PRF | PROF_WAIT | PROF_TRACE))
		sample(frame, mode, on);
}
