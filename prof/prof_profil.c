/* profil: a process's samples, and which cell of its buffers each of them is for. */
#include "prof/prof_profilers.h"

#define SEED 3000u
#define ALL 2u /* the scale with which the first cell counts all from offset on */

void prof_profil_start(struct prof *p)
{
	prof_switch(p, PROF_PROFIL, true);
}

void prof_profil_stop(struct prof *p)
{
	prof_switch(p, PROF_PROFIL, false);
}

void prof_profil_begin(struct prof_profil *f, uint32_t us, uint32_t seed)
{
	f->queued = 0;
	prof_beat_begin(&f->beat, us, SEED + seed);
}

/*
 * Find where in the region's buffer pc is counted. False: nowhere; all of a cell has to fit. What
 * would go on at the lowest address is counted at the highest, where no cell can be written.
 */
static bool profil_holds(const struct prof_profil_region *r, uint32_t cell, prof_addr pc,
			 prof_addr *addr)
{
	uint64_t index = 0;

	if (pc < r->offset || r->scale < ALL)
		return false;
	if (r->scale != ALL) {
		if (pc - r->offset > UINT32_MAX)
			return false;
		index = (uint64_t)(pc - r->offset) * r->scale >> 16 & ~(uint64_t)(cell - 1);
	}
	if (index + cell > r->size)
		return false;
	*addr = UINTPTR_MAX;
	if (index + cell - 1 <= UINTPTR_MAX - r->base)
		*addr = r->base + (prof_addr)index;
	return true;
}

bool prof_profil_find(const struct prof_profil_region *r, uint32_t n, uint32_t cell, prof_addr pc,
		      prof_addr *addr)
{
	const struct prof_profil_region *best = NULL;
	prof_addr at;

	for (uint32_t i = 0; i < n; i++) {
		if (best && r[i].offset <= best->offset)
			continue;
		if (!profil_holds(&r[i], cell, pc, &at))
			continue;
		best = &r[i];
		*addr = at;
	}
	return best;
}

void prof_profil_tick(struct prof *p, const struct prof_sample *s)
{
	if (s->what != PROF_USER || !s->profil)
		return;
	struct prof_profil *f = s->profil;
	uint32_t n = prof_beat_due(&f->beat, prof_load(&p->us));
	if (n == 0 || f->queued == PROF_PROFIL_QUEUE)
		return;
	f->queue[f->queued].pc = s->at.pc;
	f->queue[f->queued].n = n;
	f->queued++;
}
