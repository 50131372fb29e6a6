/*
 * A tick: who gets it, and the four steps of its way from the clock's interrupt to a counter:
 *
 *	kernel/machine/isr.asm	the clock's interrupt or NMI; registers saved
 *	trap()			finds the clock's handler
 *	profclock_intr()	arms the next tick; tells lost ones
 *	statclock()		with kprof alone calls prof_kprof_tick(), else prof_tick(), which
 *				serves each profiler
 */
#pragma once

#include "prof/prof.h"

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
 * Count a tick: pc in its bucket, or as outside. A CPU may count its share of 2^32 - 1
 * ticks, and then stops, so that no sum can wrap; cell PROF_KPROF_LEFT holds the rest of its share.
 */
static inline void prof_kprof_tick(const struct prof *p, unsigned cpu, prof_addr pc, bool user)
{
	uint32_t *cell = p->kprof.cell[cpu], *at = &cell[PROF_KPROF_OUTSIDE], left;

	if (__builtin_expect(!user, 1)) {
		prof_addr off = pc - p->kprof.first;
		if (off < p->kprof.size)
			at = &cell[PROF_KPROF_SPECIAL + (off >> PROF_KPROF_LOG2)];
	}
	if (__builtin_sub_overflow(cell[PROF_KPROF_LEFT], 1u, &left))
		return;
	prof_store(&cell[PROF_KPROF_LEFT], left);
	prof_store(at, *at + 1);
}

/* Let a tick's time pass on that CPU, and count where it was if a sample of prf's is due. */
static inline void prof_prf_tick(struct prof *p, unsigned cpu, prof_addr pc, enum prof_cause what)
{
	struct prof_beat *b = &p->prf.cpu[cpu].beat;

	b->left -= (int32_t)prof_load(&p->us);
	if (__builtin_expect(b->left <= 0, 0))
		prof_prf_count(&p->prf.cpu[cpu], pc, what);
}

/* Return whether the process is one whose paths are counted. */
static inline bool prof_stack_wanted(const struct prof *p, const struct prof_sample *s)
{
	uint32_t pid = prof_load(&p->only);

	return pid == PROF_STACK_EVERY || pid == s->pid;
}

/* Count the path of a tick. A CPU may count its share of 2^32 - 1 ticks. */
static inline void prof_stack_tick(struct prof *p, const struct prof_sample *s)
{
	struct prof_stack_cpu *c = &p->stack.cpu[s->cpu];
	uint32_t left;

	if (!prof_stack_wanted(p, s) || __builtin_sub_overflow(c->left, 1u, &left))
		return;
	prof_store(&c->left, left);
	prof_addr *cell = &prof_stackcache_find(&p->stack, s)[PROF_STACK_COUNT];
	__atomic_store_n(cell, *cell + 1, __ATOMIC_RELAXED);
}

/* Add to a time, after what was stored before. */
static inline void prof_stack_add_time(uint32_t t[2], uint64_t n)
{
	uint32_t low, high = t[1] + (uint32_t)(n >> 32);

	high += __builtin_add_overflow(t[0], (uint32_t)n, &low);
	__atomic_store_n(&t[0], low, __ATOMIC_RELEASE);
	__atomic_store_n(&t[1], high, __ATOMIC_RELEASE);
}

/*
 * Add the sample's times to those of its path, and return them; of memory they are bytes, to the
 * second of which the caller adds what is freed. Called on the sample's CPU; only ticks may
 * interrupt it.
 */
static inline struct prof_stack_times *prof_stack_add_times(struct prof_stacks *k,
							    const struct prof_sample *s)
{
	prof_addr *e = prof_stackcache_find(k, s);
	struct prof_stack_times *t = (struct prof_stack_times *)e - 1;
	uint32_t n = (uint32_t)e[PROF_STACK_COUNT] + 1;

	__atomic_store_n(&e[PROF_STACK_COUNT], n, __ATOMIC_RELAXED);
	prof_stack_add_time(t->time[0], s->waited);
	prof_stack_add_time(t->time[1], s->ready);
	__atomic_store_n(&t->done, n, __ATOMIC_RELEASE);
	return t;
}

/* Add the times of its wait to the path of a process that runs again on this CPU. */
static inline void prof_stack_wait(struct prof *p, const struct prof_sample *s)
{
	if (prof_stack_wanted(p, s))
		prof_stack_add_times(&p->wait, s);
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
 * if another profiler is on, sample() is called, with the frame, what was interrupted, and the bits
 * of the profilers that are on: it makes a sample and calls prof_sample().
 */
typedef void prof_sampler(const void *frame, enum prof_cause what, uint32_t on);

static inline __attribute__((always_inline)) void
prof_tick(struct prof *p, unsigned cpu, prof_addr pc, enum prof_cause what,
	  prof_sampler *sample, const void *frame)
{
	uint32_t on = prof_running(p);

	if (PROF_HAVE_KPROF && on & PROF_KPROF)
		prof_kprof_tick(p, cpu, pc, what == PROF_USER);
	if (PROF_HAVE_PRF && on & PROF_PRF)
		prof_prf_tick(p, cpu, pc, what);
	if (on & PROF_SAMPLED)
		sample(frame, what, on);
}
