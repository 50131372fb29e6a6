/* kprof: a histogram of where the kernel runs, and its picture, the file kpdata(5). */
#include "prof/prof_hooks.h"
#include "prof/prof_tick.h"

#define COUNT_MAX UINT32_MAX

/* Return how many ticks one CPU may count. */
static uint32_t share(const struct prof_kprof *k)
{
	return COUNT_MAX / k->ncpu;
}

bool prof_kprof_init(struct prof *p, uint32_t lo, uint32_t hi, unsigned ncpu)
{
	struct prof_kprof *k = &p->kprof;
	uint32_t special = PROF_KPROF_SPECIAL << PROF_KPROF_LOG2, size = hi - lo;
	unsigned cpu;

	if (lo >= hi || ncpu == 0 || ncpu > PROF_MAXCPU || size > COUNT_MAX / 2)
		return false;
	k->first = lo + special;
	k->size = size > special ? size - special : 0;
	k->nbucket = PROF_KPROF_SPECIAL +
		     (k->size + (1u << PROF_KPROF_LOG2) - 1) / (1u << PROF_KPROF_LOG2);
	for (cpu = 0; cpu < ncpu; cpu++) {
		k->cell[cpu] = prof_hook_alloc(prof_kprof_length(p));
		if (!k->cell[cpu])
			return false;
		k->cell[cpu][PROF_KPROF_LEFT] = COUNT_MAX / ncpu;
	}
	k->ncpu = ncpu;
	return true;
}

void prof_kprof_start(struct prof *p)
{
	bool paths = PROF_HAVE_STACK && prof_stack_on(p);

	prof_switch(p, (p->kprof.ncpu ? PROF_KPROF : 0) | (paths ? PROF_STACK : 0), true);
}

void prof_kprof_stop(struct prof *p)
{
	prof_switch(p, PROF_KPROF | PROF_STACK, false);
}

/* Wait before zeroing: a tick under way could still store an old count. */
void prof_kprof_clear(struct prof *p)
{
	struct prof_kprof *k = &p->kprof;
	bool ran = prof_wants(p, PROF_KPROF);
	uint32_t i;
	unsigned cpu;

	prof_switch(p, PROF_KPROF, false);
	prof_hook_quiesce();
	for (cpu = 0; cpu < k->ncpu; cpu++) {
		for (i = 0; i < k->nbucket; i++)
			prof_store(&k->cell[cpu][i], 0);
		prof_store(&k->cell[cpu][PROF_KPROF_LEFT], share(k));
	}
	prof_pace_clear(&k->pace);
	prof_switch(p, PROF_KPROF, ran);
}

bool prof_kprof_full(const struct prof *p)
{
	unsigned cpu;

	for (cpu = 0; cpu < p->kprof.ncpu; cpu++)
		if (prof_load(&p->kprof.cell[cpu][PROF_KPROF_LEFT]) == 0)
			return true;
	return false;
}

uint32_t prof_kprof_ticks(const struct prof_kprof *k)
{
	uint32_t ticks = 0;
	unsigned cpu;

	for (cpu = 0; cpu < k->ncpu; cpu++)
		ticks += share(k) - prof_load(&k->cell[cpu][PROF_KPROF_LEFT]);
	return ticks;
}

size_t prof_kprof_length(const struct prof *p)
{
	return (size_t)p->kprof.nbucket * sizeof(uint32_t);
}

/* Return cell i of all CPUs together. */
static uint32_t sum(const struct prof_kprof *k, uint32_t i)
{
	uint32_t n = 0;
	unsigned cpu;

	for (cpu = 0; cpu < k->ncpu; cpu++)
		n += prof_load(&k->cell[cpu][i]);
	return n;
}

/* Store the file's number i, big-endian. */
static void put(uint8_t *out, uint32_t i, uint32_t v)
{
	out += 4 * (size_t)i;
	out[0] = (uint8_t)(v >> 24);
	out[1] = (uint8_t)(v >> 16);
	out[2] = (uint8_t)(v >> 8);
	out[3] = (uint8_t)v;
}

/* Add up the total from what was read, so that it agrees whatever ticks come meanwhile. */
void prof_kprof_picture(const struct prof *p, uint8_t *out)
{
	const struct prof_kprof *k = &p->kprof;
	uint32_t outside = sum(k, PROF_KPROF_OUTSIDE), total = outside, i;

	for (i = PROF_KPROF_SPECIAL; i < k->nbucket; i++) {
		uint32_t n = sum(k, i);

		put(out, i, n);
		total += n;
	}
	put(out, 0, total);
	put(out, 1, outside);
	put(out, 2, prof_pace_mean(&k->pace, total));
	put(out, 3, k->nbucket);
	put(out, 4, sizeof(uint32_t));
	put(out, 5, PROF_KPROF_LOG2);
}
