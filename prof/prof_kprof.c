/*
 * kprof: a histogram of where the kernel runs, and its picture, the file kpdata(5). A tick is
 * counted in prof_tick.h.
 */
#include "prof/prof_hooks.h"

#define PIECE 16u /* numbers written at once */

bool prof_kprof_init(struct prof *p, prof_addr lo, prof_addr hi, unsigned ncpu)
{
	struct prof_kprof *k = &p->kprof;
	uint32_t special = PROF_KPROF_SPECIAL << PROF_KPROF_LOG2;
	prof_addr size = hi - lo;

	if (lo >= hi || !prof_has_room(ncpu) || size > UINT32_MAX >> 1)
		return false;
	k->first = lo + special;
	k->size = 0;
	if (size > special)
		k->size = (uint32_t)size - special;
	k->nbucket = PROF_KPROF_SPECIAL +
		     ((k->size + (1u << PROF_KPROF_LOG2) - 1) >> PROF_KPROF_LOG2);
	k->share = (uint32_t)prof_divide(UINT32_MAX, ncpu);
	for (unsigned cpu = 0; cpu < ncpu; cpu++) {
		k->cell[cpu] = prof_hook_alloc(prof_kprof_length(p));
		if (!k->cell[cpu])
			return false;
		k->cell[cpu][PROF_KPROF_LEFT] = k->share;
	}
	k->ncpu = ncpu;
	return true;
}

void prof_kprof_clear(struct prof *p, uint32_t bit)
{
	struct prof_kprof *k = &p->kprof;

	(void)bit;
	for (unsigned cpu = 0; cpu < k->ncpu; cpu++) {
		for (uint32_t *at = k->cell[cpu], *end = at + k->nbucket; at < end; at++)
			prof_store(at, 0);
		prof_store(&k->cell[cpu][PROF_KPROF_LEFT], k->share);
	}
	prof_pace_clear(&k->pace);
}

bool prof_kprof_full(const struct prof *p)
{
	for (unsigned cpu = 0; cpu < p->kprof.ncpu; cpu++)
		if (prof_load(&p->kprof.cell[cpu][PROF_KPROF_LEFT]) == 0)
			return true;
	return false;
}

/* Return cell i of all CPUs together. */
static uint32_t kprof_sum(const struct prof_kprof *k, uint32_t i)
{
	uint32_t n = 0;

	for (unsigned cpu = 0; cpu < k->ncpu; cpu++)
		n += prof_load(&k->cell[cpu][i]);
	return n;
}

/* Return how many ticks the data set holds. */
static uint32_t kprof_ticks(const struct prof_kprof *k)
{
	return k->share * k->ncpu - kprof_sum(k, PROF_KPROF_LEFT);
}

void prof_kprof_period(struct prof *p, uint32_t us)
{
	prof_pace_set(&p->kprof.pace, kprof_ticks(&p->kprof), us);
}

size_t prof_kprof_length(const struct prof *p)
{
	return (size_t)p->kprof.nbucket * sizeof(uint32_t);
}

/* Store numbers first to past - 1 of kpdata, big-endian, and return how many ticks they count. */
static __attribute__((noinline)) uint32_t
kprof_put(const struct prof_kprof *k, uint32_t total, uint32_t first, uint32_t past, uint8_t *out)
{
	const uint32_t special[PROF_KPROF_SPECIAL] = {
		total, 0, prof_pace_mean(&k->pace, total), k->nbucket, sizeof(uint32_t),
		PROF_KPROF_LOG2,
	};
	uint32_t ticks = 0, number;

	for (uint32_t i = first; i < past; i++) {
		if (i == PROF_KPROF_OUTSIDE || i >= PROF_KPROF_SPECIAL) {
			number = kprof_sum(k, i);
			ticks += number;
		} else {
			number = special[i];
		}
		*out++ = (uint8_t)(number >> 24);
		*out++ = (uint8_t)(number >> 16);
		*out++ = (uint8_t)(number >> 8);
		*out++ = (uint8_t)number;
	}
	return ticks;
}

/* Add up the total from what was read, so that it agrees whatever ticks come meanwhile. */
void prof_kprof_picture(const struct prof *p, uint8_t *out)
{
	const struct prof_kprof *k = &p->kprof;
	uint32_t total = kprof_put(k, 0, 0, k->nbucket, out);

	kprof_put(k, total, 0, 1, out);
	kprof_put(k, total, 2, 3, out + 8);
}

/* The total comes first, so no tick may come between it and the buckets. */
int prof_kprof_write(struct prof *p, uint32_t bit, const struct prof_sink *to)
{
	const struct prof_kprof *k = &p->kprof;
	bool ran = prof_pause(p, bit);
	uint32_t total = kprof_ticks(k), i, n;
	uint8_t piece[4 * PIECE];
	int err = 0;

	for (i = 0; !err && i < k->nbucket; i += n) {
		n = k->nbucket - i;
		if (n > PIECE)
			n = PIECE;
		kprof_put(k, total, i, i + n, piece);
		err = to->write(to->arg, piece, 4 * n);
	}
	prof_switch(p, bit, ran);
	return err;
}
